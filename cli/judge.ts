import { exitCodeOfRun } from '../reports/exit-code.ts';
import { reportFolder, setAsideReport } from '../reports/folder.ts';
import { plain } from '../reports/plain.ts';
import { fitted } from '../reports/terminal/layout.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { renderSummary } from '../reports/terminal/summary.ts';
import { writeReports } from '../reports/write.ts';
import type { PersonAnswers } from '../stub/judge/person.ts';
import type { Played } from '../stub/judge/play.ts';
import { judgeClient as judgeHistories } from '../suites/clients/judge.ts';
import { clientResult } from '../suites/recorded/client-result.ts';
import { splitPatterns } from '../suites/selection.ts';
import { shellWords } from '../suites/session/shell.ts';
import { counted } from '../suites/usage/counted.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import type { Given } from './command-line/declaration.ts';
import { flag, integer, list, text } from './command-line/option.ts';
import { gateExits, out, require } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';
import { writeFirst } from './write-first.ts';

export const judgeOptions = {
  scenario: list('Comma-separated scenarios to run, besides plain (default: all)'),
  person: text('Comma-separated answers of the person: approve, deny, pick=SLUG'),
  mcp: flag('Offer the tools to an agent over MCP, at TCK_MCP_URL'),
  timeout: integer('Stop the client after this many seconds (default: 60)', 1, 3600),
  require,
  'fail-on-advice': flag('Fail the gate if the client breaks a recommendation'),
  out,
};

export const judge = command({
  name: 'judge',
  options: judgeOptions,
  program: 'required',
  groups: {
    Scenarios: ['scenario', 'person', 'mcp', 'timeout'],
    Gate: ['require', 'fail-on-advice'],
    Report: ['out'],
  },
  exits: gateExits,
  examples: [
    ['tck judge -- node client.mjs', 'Run the client in every scenario and judge its requests'],
    ['tck judge --scenario limited,expired -- node client.mjs', 'Run two scenarios'],
    [
      'tck judge --person approve -- python3 client.py',
      'Approve each proposal through the standard input of the client',
    ],
    ['tck judge --mcp --person approve -- node agent.mjs', 'Judge an agent that calls the tools over MCP'],
  ],
  prepare: (out, { cwd }) => setAsideReport(out, cwd),
  run: (given, around) => judgeClient(given, around),
});

/**
 * Runs a client in scenarios, writes the report and prints a summary. Returns the exit code of the run. Throws a
 * UsageError if the program cannot be started.
 */
export async function judgeClient(
  { program, ...options }: Given<typeof judgeOptions>,
  around: Surroundings,
): Promise<number> {
  const person = personOf(options.person);
  const only = splitPatterns(options.scenario, '--scenario');
  const outDir = await reportFolder(options.out, around.cwd);
  const startedAt = new Date();
  const { provoke } = await import('../stub/judge/provoke.ts');
  const { played, trouble } = await provoke(
    { command: program, seed, timeoutSeconds: options.timeout ?? 60, person, mcp: options.mcp, only },
    { stop: around.signal, onScenario: ({ what }, one, first) => tell(what, one, first, around) },
  );
  const client = shellWords(program);
  const same = [
    ...(options.person === undefined ? [] : [`--person ${shellWords([options.person])}`]),
    ...(options.mcp ? ['--mcp'] : []),
  ];
  const result = clientResult(played, {
    client,
    seed,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    interrupted: around.signal.aborted,
    trouble,
    notices: noticesOf(played),
    require: options.require,
    failOnAdvice: options.failOnAdvice,
    again: (scenarios) => ['tck judge --scenario', scenarios, ...same, '--', client].join(' '),
  });
  const failure = await writeFirst([() => writeReports(result, outDir)]);
  const summary = { ...lookOf(around.stdout, around.env), reportDir: options.out, written: failure === undefined };
  around.stdout.write(renderSummary(result, summary));
  if (failure !== undefined) throw failure;
  return exitCodeOfRun(result);
}

/** Seed of the data in each scenario. */
const seed = 1;

/** Parses the answers of the person: comma-separated words. */
function personOf(given: string | undefined): PersonAnswers | undefined {
  if (given === undefined) return undefined;
  let answers: PersonAnswers = { proposals: 'approve' };
  for (const word of given.split(',')) {
    const [, pick] = /^pick=(.+)$/.exec(word) ?? [];
    if (pick !== undefined) answers = { ...answers, pick };
    else if (word === 'approve' || word === 'deny') answers = { ...answers, proposals: word };
    else throw new UsageError(`--person: expected approve, deny or pick=SLUG, got '${word}'`);
  }
  return answers;
}

/**
 * Prints the result of a scenario: requests, exit code, violated rules, and the end of the client's output. A nonzero
 * exit code is correct if the scenario refuses the work of the client.
 */
function tell(what: string, { run, history }: Played, first: Played, { stderr, env }: Surroundings): void {
  const requests = counted(history.exchanges.length, 'request');
  const own = new Set(history.exchanges);
  const histories = run === first.run ? [history] : [first.history, history];
  const broken = judgeHistories(histories)
    .requirements.filter(({ findings }) => findings.some(({ exchanges }) => exchanges.some((one) => own.has(one))))
    .map(({ id }) => `, ${id}`);
  const isFailure = broken.length > 0 || run.exitCode === null || (run.kind === 'plain' && run.exitCode !== 0);
  const lines = isFailure ? (run.output ?? '').split('\n').filter(isTelling).slice(-mostLines) : [];
  const printed = lines.map((line) => `    ${plain(line)}\n`).join('');
  const line = `${run.scenario}: the client ${what}: ${requests}, ${endOf(run)}${broken.join('')}`;
  stderr.write(`${fitted(line, lookOf(stderr, env))}\n${printed}`);
}

/** Whether a line is informative. Stack frames and parts of printed objects are not. */
const isTelling = (line: string) => !/^\s*[\]})^]*,?$|^\s+at |^Node\.js v|^\s+\w+: .*,$/.test(line);

/** Maximum number of lines of a client's output to print. */
const mostLines = 6;

function endOf({ exitCode }: Played['run']): string {
  return exitCode === null ? 'stopped after its time limit' : `exit code ${exitCode}`;
}

/** Notices about scenarios that timed out and about dropped exchanges. */
function noticesOf(played: readonly Played[]): string[] {
  const stopped = played.filter(({ run }) => run.exitCode === null).map(({ name }) => name);
  const cut = played.some(({ history }) => !history.knowledge.complete);
  return [
    ...(stopped.length === 0
      ? []
      : [`the kit stopped the client after its time limit (--timeout) in: ${stopped.join(', ')}`]),
    ...(cut ? ['the client sent more requests than the stub keeps; the oldest are not judged'] : []),
  ];
}
