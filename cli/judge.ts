import { isDeepStrictEqual } from 'node:util';
import { toolNames } from '../fixtures/contract/tools.ts';
import { reportFolder } from '../reports/folder.ts';
import { plain } from '../reports/plain.ts';
import type { PersonAnswers } from '../stub/judge/person.ts';
import type { Played } from '../stub/judge/play.ts';
import type { Provoked } from '../stub/judge/provoke.ts';
import { splitPatterns } from '../suites/engine/selection.ts';
import { clientResult } from '../suites/recorded/client-result.ts';
import type { RunResult, ScenarioResult } from '../suites/result.ts';
import { shellWords } from '../suites/session/shell.ts';
import { counted } from '../suites/usage/counted.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import type { Given } from './command-line/declaration.ts';
import { flag, integer, list, text } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';
import { gateExits, out, require } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';
import { tellResult } from './recorded.ts';

export const judgeOptions = {
  scenario: list('Comma-separated scenarios to run, besides plain; agents: ten for agents (default: all)'),
  person: text('Comma-separated answers of the person: approve, deny, pick=SLUG'),
  mcp: flag('Offer the tools to an agent over MCP, at TCK_MCP_URL'),
  timeout: integer('Stop the client after this many seconds (default: 60)', 1, 3600),
  jobs: integer('Number of clients that run at the same time (default: 4 for each processor, at most 8)', 1, 64),
  repeat: integer('Run each scenario this many times, for clients that are not deterministic', 1, 100),
  require,
  'fail-on-advice': flag('Fail the gate if the client breaks a recommendation'),
  out,
};

export const command = commandOf({
  name: 'judge',
  options: judgeOptions,
  program: 'required',
  groups: {
    Scenarios: ['scenario', 'person', 'mcp', 'timeout', 'jobs', 'repeat'],
    Gate: ['require', 'fail-on-advice'],
    Report: ['out'],
  },
  exits: gateExits,
  examples: [
    ['tck judge -- node client.mjs', 'Run the client in every scenario and judge its requests'],
    ['tck judge --scenario limited,expired -- node client.mjs', 'Run two scenarios'],
    ['tck judge --scenario agents --repeat 5 --mcp --person approve -- node agent.mjs', 'Judge an agent five times'],
    [
      'tck judge --person approve -- python3 client.py',
      'Approve each proposal through the standard input of the client',
    ],
    ['tck judge --mcp --person approve -- node agent.mjs', 'Judge an agent that calls the tools over MCP'],
  ],
  setsAside: true,
  run: judgeClient,
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
  await reportFolder(options.out, around.cwd);
  const startedAt = new Date();
  const { provoke } = await import('../stub/judge/provoke.ts');
  const { jobs, mcp, repeat = 1, timeout: timeoutSeconds = 60 } = options;
  const runs: Provoked[] = [];
  while (runs.length < repeat && runs.every(({ trouble }) => trouble === undefined) && !around.signal.aborted) {
    const given = { command: program, folder: around.cwd, seed, timeoutSeconds, person, mcp, jobs, only };
    runs.push(await provoke(given, { stop: around.signal, onScenario: (played) => tellEnd(played, around) }));
  }
  const played = runs.flatMap((run) => run.played);
  const client = shellWords(program);
  const same = [
    ...(options.person === undefined ? [] : [`--person ${shellWords([options.person])}`]),
    ...(mcp ? ['--mcp'] : []),
  ];
  const result = clientResult(played, {
    client,
    seed,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    interrupted: around.signal.aborted,
    trouble: runs.find(({ trouble }) => trouble !== undefined)?.trouble,
    notices: noticesOf(played, person !== undefined),
    require: options.require,
    failOnAdvice: options.failOnAdvice,
    again: (scenarios) => ['tck judge --scenario', scenarios, ...same, '--', client].join(' '),
  });
  const { scenarios = [] } = result;
  for (const [index, scenario] of scenarios.entries()) {
    const told = scenarios.slice(0, index).filter(({ findings }) => isDeepStrictEqual(findings, scenario.findings));
    tellFindings(scenario, told.length < outputsOfOne ? played : [], around);
  }
  return tellResult(result, options.out, around, { more: adviceOf(result, options.failOnAdvice) });
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

function tellEnd({ name, what, run, history }: Played, { stderr }: Surroundings): void {
  const requests = counted(history.exchanges.length, 'request');
  const end = run.exitCode === null ? 'stopped after its time limit' : `exit code ${run.exitCode}`;
  stderr.write(`${name}: the client ${what}: ${requests}, ${end}\n`);
}

/** Prints the rules that a client breaks in a scenario, and the end of its output. */
function tellFindings({ name, findings }: ScenarioResult, played: readonly Played[], around: Surroundings): void {
  if (findings.length === 0) return;
  const { run } = played.findLast((one) => one.name === name) ?? {};
  const lines = (run?.output ?? '').split('\n').filter(isTelling).slice(-mostLines);
  const printed = lines.map((line) => `    ${plain(line)}\n`).join('');
  around.stderr.write(`${name}: ${findings.join(', ')}\n${printed}`);
}

/** Whether a line is informative. Stack frames and parts of printed objects are not. */
const isTelling = (line: string) => !/^\s*[\]})^]*,?$|^\s+at |^Node\.js v|^\s+\w+: .*,$/.test(line);

/** Maximum number of lines of a client's output to print, and of outputs for the same findings. */
const mostLines = 10;
const outputsOfOne = 3;

function adviceOf({ requirements }: RunResult, failOnAdvice: boolean): string {
  const advised = requirements.filter(({ status }) => status === 'warned').map(({ id }) => id);
  if (advised.length === 0) return '';
  const next = failOnAdvice ? '' : ' To fail the gate for these, pass --fail-on-advice.';
  return `Advised: ${advised.join(', ')}.${next}\n`;
}

/** Notices about time limits, dropped exchanges, tools that were never called, and a missing person. */
function noticesOf(played: readonly Played[], hasPerson: boolean): string[] {
  const stopped = played.filter(({ run }) => run.exitCode === null).map(({ name }) => name);
  const isCut = played.some(({ history }) => !history.knowledge.complete);
  const called = new Set(played.flatMap(({ history }) => history.exchanges.map(({ request }) => request.tool)));
  const idle = toolNames.filter((tool) => !called.has(tool));
  const [first] = played;
  const mayAsk = !hasPerson && first !== undefined && (first.run.exitCode !== 0 || called.has('images.generate'));
  return [
    ...(stopped.length === 0
      ? []
      : [`the kit stopped the client after its time limit (--timeout) in: ${stopped.join(', ')}`]),
    ...(isCut ? ['the client sent more requests than the kit keeps; the oldest are not judged'] : []),
    ...(idle.length === 0 || called.size === 0 ? [] : [`never called: ${idle.join(', ')}`]),
    ...repeatedIn(played),
    ...(mayAsk ? ['if the client asks a person, pass --person approve'] : []),
  ];
}

/** Lists the scenarios that created or dispatched more than the plain one, such as by a repetition after a loss. */
function repeatedIn([first, ...others]: readonly Played[]): string[] {
  if (first === undefined) return [];
  const more = others.filter(
    ({ effects }) => effects.images > first.effects.images || effects.contentRequests > first.effects.contentRequests,
  );
  if (more.length === 0) return [];
  const names = more.map(({ name }) => name).join(', ');
  return [`more images or content requests than in ${first.name}; check that a person agreed: ${names}`];
}
