import { parseArgs } from 'node:util';
import { audit } from '../../suites/engine/audit.ts';
import { requirements } from '../../suites/requirements.ts';
import type { RunResult } from '../../suites/result.ts';
import { idsWith } from '../output.ts';
import type { Deployment, Deviation } from './deployment.ts';
import { deviations } from './deviations/index.ts';
import { deployments } from './honest/index.ts';
import { type Difference, startThirdServer } from './server.ts';
import { thirdTarget } from './target.ts';

/** Maximum duration of one run in milliseconds. */
const longest = 280_000;

interface Options {
  explore?: number;
  seed?: number;
  only?: readonly string[];
}

export async function runThird(
  subject: Difference & Pick<Deployment, 'target'> = {},
  { explore = 0, seed = 1, ...selected }: Options = {},
): Promise<RunResult> {
  await using server = await startThirdServer(subject);
  const given = { ...(explore > 0 ? { maxImages: 40 } : {}), ...subject.target?.(server) };
  const signal = AbortSignal.timeout(longest);
  const result = await audit(thirdTarget(server, given), { seed, observe: false, explore, signal, ...selected });
  signal.throwIfAborted();
  return result;
}

/**
 * Returns those of the requirements that a deviation breaks that find it. If a run of these alone finds nothing, for
 * example because the deviation shows only after other requests, a run of their topics with ordinary readings follows,
 * and then a whole run.
 */
export async function findersOf(deviation: Deviation): Promise<string[]> {
  const found = async (options: Options): Promise<string[]> => {
    const ids = idsWith(await runThird(deviation, options), 'failed', 'warned');
    return deviation.breaks.filter((id) => ids.includes(id));
  };
  const alone = await found({ only: deviation.breaks });
  if (alone.length > 0) return alone;
  const topics = requirements.filter(({ id }) => deviation.breaks.includes(id)).map(({ topic }) => topic);
  const withReadings = await found({ only: [...topics, 'schedule', 'library'] });
  return withReadings.length > 0 ? withReadings : found({});
}

/** Returns the required requirements that a conforming deployment is blamed for. */
export async function blamedOn(deployment: Parameters<typeof runThird>[0], explore = 0): Promise<string[]> {
  const result = await runThird(deployment, { explore });
  const must = new Set<string>(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  return idsWith(result, 'failed', 'errored').filter((id) => must.has(id));
}

/** Prints the deviations that are not found, or the deployments that are blamed. Usage is in `CONTRIBUTING.md`. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { explore: { type: 'string' } } });
  const [what, text = ''] = positionals;
  const wrong: string[] = [];
  const chosen = <T>(all: Readonly<Record<string, T>>) => Object.entries(all).filter(([name]) => name.includes(text));
  const [broken, honest] = [
    what === 'deviations' ? chosen(deviations) : [],
    what === 'honest' ? chosen(deployments) : [],
  ];
  for (const [name, one] of broken) if ((await findersOf(one)).length === 0) wrong.push(name);
  for (const [name, one] of honest) {
    const blamed = await blamedOn(one, Number(values.explore ?? 0));
    if (blamed.length > 0) wrong.push(`${name}: ${blamed.join(', ')}`);
  }
  process.stdout.write(`${[`${wrong.length} of ${broken.length + honest.length} wrong`, ...wrong].join('\n')}\n`);
}

if (import.meta.main) await main(process.argv.slice(2));
