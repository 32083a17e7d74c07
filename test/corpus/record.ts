import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createStub } from '../../stub/index.ts';
import { audit } from '../../suites/engine/audit.ts';
import type { AuditOptions } from '../../suites/engine/options.ts';
import type { History } from '../../suites/exchange/history.ts';
import type { RunResult } from '../../suites/result.ts';
import { defaultPace, type Target } from '../../suites/target/target.ts';
import { combineDefects, type DefectId, defects } from '../mutations/defects/index.ts';
import { combineVariants, variantNames } from '../mutations/variants.ts';
import { skippingTimer } from '../skipping-timer.ts';
import { inProcess } from '../stub-target.ts';
import type { Deployment, Deviation } from '../third-server/deployment.ts';
import { deviations } from '../third-server/deviations/index.ts';
import { deployments } from '../third-server/honest/index.ts';
import { startThirdServer } from '../third-server/server.ts';
import { thirdTarget } from '../third-server/target.ts';
import { folder, type Recorded } from './recorded.ts';

/** A server whose history is recorded, with the requirements that it breaks. */
interface Subject {
  readonly name: string;
  readonly breaks: readonly string[];
  run(options: AuditOptions): Promise<RunResult>;
}

const plain = { seed: 1, observe: false, explore: 0 };

function ofDefect(id: DefectId | undefined): Subject {
  const run: Subject['run'] = (options) => {
    const standing = { now: () => startedAt };
    const startedAt = Date.now();
    const deviation = id === undefined ? {} : { deviation: combineDefects([id]) };
    const stub = createStub({ seed: 1, clock: standing, rateLimit: 3000, ...deviation });
    const target = inProcess(stub, { pace: { ...defaultPace, maxWaitSeconds: 1 }, shape: '1:1' });
    return audit(target, { ...options, timer: skippingTimer(() => undefined) });
  };
  return { name: `defect-${id ?? 'none'}`, breaks: id === undefined ? [] : defects[id].breaks, run };
}

const ofVariants = variantNames.map((name): Subject => {
  const run: Subject['run'] = (options) => {
    const stub = createStub({ deviation: combineVariants([name]) });
    const target = inProcess(stub, { pace: { ...defaultPace, maxBurst: 100 } });
    return audit(target, { ...options, timer: skippingTimer(stub.advance) });
  };
  return { name: `variant-${name}`, breaks: [], run };
});

function ofThird(name: string, one: Deviation | Deployment): Subject {
  const run: Subject['run'] = async (options) => {
    const server = await startThirdServer(one);
    try {
      const given: Partial<Target> = 'target' in one ? (one.target?.(server) ?? {}) : {};
      return await audit(thirdTarget(server, given), { ...options, signal: AbortSignal.timeout(150_000) });
    } finally {
      await server.close();
    }
  };
  return { name, breaks: 'breaks' in one ? one.breaks : [], run };
}

const subjects: readonly Subject[] = [
  ofDefect(undefined),
  ...(Object.keys(defects) as DefectId[]).map(ofDefect),
  ...ofVariants,
  ...Object.entries(deviations).map(([name, one]) => ofThird(`deviation-${name}`, one)),
  ...Object.entries(deployments).map(([name, one]) => ofThird(`honest-${name}`, one)),
];

async function record({ name, breaks, run }: Subject, file: URL): Promise<void> {
  const histories: History[] = [];
  const { requirements } = await run({ ...plain, onHistory: (whole) => histories.push(whole) });
  const [history] = histories;
  if (history === undefined) throw new Error(`${name}: the run gave no history`);
  const caught = requirements.filter(({ status }) => status === 'failed' || status === 'warned').map(({ id }) => id);
  const recorded: Recorded = { name, breaks, caught, history };
  const unfinished = new URL(`${file.href}.part`);
  writeFileSync(unfinished, gzipSync(JSON.stringify(recorded)));
  renameSync(unfinished, file);
}

/** Records every history that the folder lacks. Several processes may share the work: `--of 2 --part 0`. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { of: { type: 'string', default: '1' }, part: { type: 'string', default: '0' } },
  });
  const [prefix = ''] = positionals;
  mkdirSync(folder, { recursive: true });
  const chosen = subjects.filter(({ name }) => name.startsWith(prefix));
  for (const [index, subject] of chosen.entries()) {
    const file = new URL(`${subject.name}.json.gz`, folder);
    if (index % Number(values.of) !== Number(values.part) || existsSync(file)) continue;
    await record(subject, file);
    process.stdout.write(`${subject.name}\n`);
  }
}

if (import.meta.main) await main();
