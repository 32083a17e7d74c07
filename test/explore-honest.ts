// Runs every conforming deployment of the project with generated requests and prints a table. Each finding is false.
//
//   nice node test/explore-honest.ts                                   2,000 requests, seeds 1, 2 and 3
//   nice node test/explore-honest.ts --explore 500 --seeds 7 --only "mixture 4"
//   nice node test/explore-honest.ts --every 3                          every third deployment
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { falseFindings, honestDeployments } from './honest-deployments.ts';

/** Maximum number of processes, suitable for a machine with two cores. */
const mostProcesses = 2;

interface Job {
  readonly index: number;
  readonly explore: number;
  readonly seed: number;
}

interface Outcome extends Job {
  readonly findings: readonly string[];
  readonly verdict: string;
  readonly requests: number;
}

async function measure(job: Job): Promise<Outcome> {
  const deployment = honestDeployments[job.index];
  if (deployment === undefined) throw new Error(`no deployment ${job.index}`);
  try {
    const result = await deployment.run(job.explore, job.seed);
    const { verdict, summary } = result;
    return { ...job, findings: falseFindings(result), verdict, requests: summary.requests };
  } catch (error) {
    // A broken run must not lose the results of the others.
    return { ...job, findings: [`the run threw ${error}`], verdict: 'inconclusive', requests: 0 };
  }
}

/** Passes jobs to a process, one at a time, until none are left. */
function work(child: ChildProcess, jobs: Job[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const next = (): void => {
    const job = jobs.shift();
    if (job === undefined) child.disconnect();
    else child.send(job);
  };
  child.on('message', (outcome) => {
    // The process sends the return value of `measure`.
    onOutcome(outcome as Outcome);
    next();
  });
  child.on('exit', (code, signal) => {
    if (code === 0) resolve();
    else reject(new Error(`a process ended with ${signal ?? code}`));
  });
  next();
  return promise;
}

function table(outcomes: readonly Outcome[]): string {
  const servers = [...new Set(honestDeployments.map(({ server }) => server))];
  const row = (name: string, part: readonly Outcome[]): string => {
    const deployments = new Set(part.map(({ index }) => index)).size;
    const requests = part.reduce((sum, outcome) => sum + outcome.requests, 0);
    const blamed = part.filter(({ findings }) => findings.length > 0).length;
    const inconclusive = part.filter(({ verdict }) => verdict === 'inconclusive').length;
    return `| ${[name, deployments, part.length, requests, blamed, inconclusive].join(' | ')} |`;
  };
  const of = (server: string) => outcomes.filter(({ index }) => honestDeployments[index]?.server === server);
  return [
    '| Server | Deployments | Runs | Requests | Runs with a finding | Inconclusive runs |',
    '|---|---:|---:|---:|---:|---:|',
    ...servers.map((server) => row(server, of(server))),
    row('all', outcomes),
  ].join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      explore: { type: 'string', default: '2000' },
      seeds: { type: 'string', default: '1,2,3' },
      only: { type: 'string', default: '' },
      every: { type: 'string', default: '1' },
      processes: { type: 'string', default: String(mostProcesses) },
    },
  });
  const explore = Number(values.explore);
  const seeds = values.seeds.split(',').map(Number);
  const processes = Math.min(Number(values.processes), mostProcesses);
  const nameOf = (index: number) => `${honestDeployments[index]?.server} ${honestDeployments[index]?.id}`;
  const jobs = seeds.flatMap((seed) =>
    [...honestDeployments.keys()]
      .filter((index) => index % Number(values.every) === 0 && nameOf(index).includes(values.only))
      .map((index) => ({ index, explore, seed })),
  );
  const outcomes: Outcome[] = [];
  const onOutcome = (outcome: Outcome): void => {
    outcomes.push(outcome);
    const { index, seed, findings, verdict } = outcome;
    if (findings.length === 0 && (verdict === 'conformant' || verdict === 'partial')) return;
    process.stdout.write(`${nameOf(index)}, seed ${seed}: ${verdict}; ${findings.join('; ')}\n`);
  };
  const children = Array.from({ length: processes }, () => fork(fileURLToPath(import.meta.url), ['--worker']));
  await Promise.all(children.map((child) => work(child, jobs, onOutcome)));
  process.stdout.write(`${table(outcomes)}\n`);
  process.exitCode = outcomes.some(({ findings }) => findings.length > 0) ? 1 : 0;
}

if (process.argv.includes('--worker')) {
  // Only `work` above sends messages.
  process.on('message', async (job) => process.send?.(await measure(job as Job)));
} else if (import.meta.main) await main();
