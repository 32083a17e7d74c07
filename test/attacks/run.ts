import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roleEnv, roles } from '../../fixtures/roles.ts';
import { createStub, type Stub } from '../../stub/index.ts';
import { textsIn } from '../output.ts';
import { startTck, tck } from '../tck.ts';
import { listenHostile, type When } from './server.ts';
import type { Answering } from './wire.ts';

/** Result of a run of the kit against a hostile server. */
export interface AttackedRun {
  code: number | null;
  /** Peak memory of a separate process. */
  peakMegabytes?: number | 'aborted';
  stdout: string;
  stderr: string;
  /** Texts of the files in the output folder, by name. */
  files: ReadonlyMap<string, string>;
  keys: readonly string[];
  maxImages: number;
  imagesDispatched: number;
  attacked: number;
  strayed: readonly string[];
}

/** Short, so that futile waits end soon. The first request must not take longer, also on a busy machine. */
export const pace = { timeoutSeconds: 4, maxWaitSeconds: 1, maxBurst: 60 };
const maxImages = 8;

/** What `tck run` is given besides the server. */
interface Options {
  /** Whether the run gets a process, whose peak of memory is measured. */
  readonly apart?: boolean;
  readonly heapMegabytes?: number;
  readonly only?: readonly string[];
}

/**
 * Runs `tck run` against a stub behind an attack. The run has a key for every role and may do everything except
 * waiting.
 */
export async function runAttacked(attack: Answering, when: When, options: Options = {}): Promise<AttackedRun> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'tck-attack-'));
  const folder = temporary.path;
  const stub = createStub({ rateLimit: 5000 });
  await using server = await listenHostile(stub, attack, when);
  const config = join(folder, 'tck.config.json');
  await writeFile(config, JSON.stringify(configuration(stub, server.baseUrl)));
  const { only = [] } = options;
  const args = ['run', '--config', config, '--out', join(folder, 'out')];
  if (only.length > 0) args.push('--only', only.join());
  const env = Object.fromEntries(roles.map((role) => [roleEnv(role), stub.keys[role]]));
  const ended = options.apart ? await runApart(args, env, join(folder, 'peak'), options) : await tck(args, { env });
  return {
    ...ended,
    files: new Map(Object.entries(await textsIn(join(folder, 'out')).catch(() => ({})))),
    keys: Object.values(stub.keys),
    maxImages,
    imagesDispatched: stub.stats.imagesDispatched,
    attacked: server.attacked(),
    strayed: server.strayed(),
  };
}

async function runApart(args: string[], keys: Record<string, string>, peak: string, { heapMegabytes }: Options) {
  const reporting = `--import ${new URL('./report-peak.ts', import.meta.url).href}`;
  const options = heapMegabytes === undefined ? reporting : `${reporting} --max-old-space-size=${heapMegabytes}`;
  const { ended } = startTck(args, { env: { ...keys, NODE_OPTIONS: options, TCK_TEST_PEAK: peak } });
  return { ...(await ended), peakMegabytes: await readFile(peak, 'utf8').then(Number, () => 'aborted' as const) };
}

function configuration({ workspaces, otherAccount, shape }: Stub, baseUrl: string): object {
  const { slug: workspace, board } = otherAccount;
  const keys = Object.fromEntries(roles.map((role) => [role, { env: roleEnv(role) }]));
  Object.assign(keys.otherAccount ?? {}, { workspace, board });
  const allow = ['proposals', 'writes', 'spending', 'throttling'];
  return { baseUrl, keys, workspaces, shape, allow, maxImages, pace };
}
