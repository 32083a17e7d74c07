import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Role, roles } from '../fixtures/roles.ts';
import { type Effect, effectMeanings, effects } from '../fixtures/side-effects.ts';
import type { TargetConfig } from '../fixtures/target-config.ts';
import { fitted } from '../reports/terminal/layout.ts';
import { lookOf } from '../reports/terminal/look.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { redactor } from '../suites/history/redaction/redactor.ts';
import { type Assignment, assignRoles, reachOf } from '../suites/init/assign.ts';
import type { CandidateKey } from '../suites/init/probe.ts';
import { Unanswered } from '../suites/session/call.ts';
import { parseAllow } from '../suites/target/allow.ts';
import { assertSafeForSecrets, parseBaseUrl } from '../suites/target/base-url.ts';
import { assertKey } from '../suites/target/secret.ts';
import { whyNotWritten, writeWhole } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { type Given, required } from './command-line/declaration.ts';
import { flag, text, words } from './command-line/option.ts';
import { insecure } from './options.ts';
import type { Surroundings } from './process/surroundings.ts';

const initOptions = {
  'key-env': words('Read one key from each of these environment variables'),
  out: text('Write the configuration to this file', 'tck.config.json'),
  force: flag('Replace the file if it exists'),
  insecure,
};

const positionals = { url: required('Base URL of the deployment') };

export const init = command({
  name: 'init',
  positionals,
  options: initOptions,
  exits: { 0: 'the configuration is written', 2: 'wrong usage', 3: 'the deployment is unreachable, or accepts no key' },
  examples: [['tck init https://api.example.test --key-env KEY_1 KEY_2', 'Find the roles of two keys']],
  run: (given, around) => configure(given, around),
});

/**
 * Tries each key with requests that only read, works out the role that it can play and writes a configuration. What
 * cannot be seen is asked on a terminal, and otherwise guessed and said. Returns 3 where no key is served.
 */
async function configure(options: Given<typeof initOptions, typeof positionals>, io: Surroundings): Promise<number> {
  const baseUrl = parseBaseUrl(options.url, 'url');
  assertSafeForSecrets(baseUrl, 'url', options.insecure);
  const keys = candidates(options.keyEnv, io.env);
  io.hide(redactor(new Map(keys.map(({ key, variable }) => [key, variable]))));
  const file = resolve(io.cwd, options.out);
  if (!options.force && (await exists(file))) {
    throw new UsageError(`--out: '${options.out}' exists; pass --force to replace it`);
  }
  const { probe } = await import('../suites/init/probe.ts');
  const probed = await probe(baseUrl, keys, io.signal).catch(unlessUnanswered);
  if (probed instanceof Unanswered) {
    io.stderr.write(fitted(`tck: cannot reach ${baseUrl}: ${probed.message}\n`, lookOf(io.stderr, io.env)));
    return exitCodes.inconclusive;
  }
  const assignment = assignRoles(probed);
  if (assignment.keys.primary === undefined) {
    const why = `tck: ${baseUrl} accepts none of these keys\n${lines(assignment.notices)}`;
    io.stderr.write(fitted(why, lookOf(io.stderr, io.env)));
    return exitCodes.inconclusive;
  }
  if (io.ask !== undefined) await askWhatCannotBeSeen(assignment, io.ask);
  const boards = io.ask === undefined ? {} : await askForBoards(assignment, io.ask);
  const allow = io.ask === undefined ? [] : await askForSideEffects(io.ask, io.stdout);
  const config = configOf(baseUrl, assignment, boards, allow);
  await writeWhole(file, `${JSON.stringify(config, null, 2)}\n`).catch((error: unknown) => {
    throw new UsageError(`--out: cannot write '${options.out}': ${whyNotWritten(error)}`);
  });
  io.stdout.write(fitted(summaryOf(assignment, config, options.out), lookOf(io.stdout, io.env)));
  return exitCodes.ok;
}

function candidates(names: readonly string[], env: Surroundings['env']): CandidateKey[] {
  const distinct = [...new Set(names)];
  return distinct.map((variable) => {
    const key = env[variable];
    if (key === undefined)
      throw new UsageError(`--key-env: expected the environment variable ${variable} to be set, but it is not`);
    assertKey(key, `--key-env ${variable}`);
    return { variable, key };
  });
}

function unlessUnanswered(error: unknown): Unanswered {
  if (error instanceof Unanswered) return error;
  throw error;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Lets the person swap what was guessed among keys that look alike. */
async function askWhatCannotBeSeen(
  { keys, guessed, workspaces }: Assignment,
  ask: NonNullable<Surroundings['ask']>,
): Promise<void> {
  const { revoked, expired } = keys;
  if (revoked !== undefined && expired !== undefined && guessed.includes('expired')) {
    const answer = await ask(
      `Which of ${revoked.variable} and ${expired.variable} has expired? [${expired.variable}] `,
    );
    if (answer.trim() === revoked.variable) Object.assign(keys, { revoked: expired, expired: revoked });
  }
  const { primary, throttled } = keys;
  if (primary !== undefined && throttled !== undefined && guessed.includes('throttled')) {
    const answer = await ask(
      `Which of ${primary.variable} and ${throttled.variable} may a run exhaust? [${throttled.variable}] `,
    );
    if (answer.trim() === primary.variable) {
      Object.assign(keys, { primary: throttled, throttled: primary });
      workspaces.splice(0, workspaces.length, ...reachOf(throttled));
    }
  }
}

async function askForBoards(
  assignment: Assignment,
  ask: NonNullable<Surroundings['ask']>,
): Promise<Record<string, string>> {
  const boards: Record<string, string> = {};
  const slugs = [
    ...assignment.workspaces.slice(0, 2),
    ...(assignment.otherWorkspace === undefined ? [] : [assignment.otherWorkspace]),
  ];
  for (const slug of slugs) {
    const answer = (await ask(`Id of a board in the workspace '${slug.replace(/\p{C}/gu, '?')}'? [none] `)).trim();
    if (answer !== '') boards[slug] = answer;
  }
  return boards;
}

/** Asks until the answer names side effects that there are. */
async function askForSideEffects(
  ask: NonNullable<Surroundings['ask']>,
  stdout: Surroundings['stdout'],
): Promise<Effect[]> {
  const known = effects.map((effect) => `  ${effect.padEnd(12)}${effectMeanings[effect]}\n`).join('');
  stdout.write(`Side effects of a run on this deployment:\n${known}`);
  for (;;) {
    const answer = (await ask('Allow which of them, separated by commas, or all? [none] ')).trim();
    try {
      return parseAllow(answer === '' ? 'none' : answer);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      stdout.write(`${error.message.replace(/^--allow: /, '')}\n`);
    }
  }
}

function configOf(
  baseUrl: string,
  assignment: Assignment,
  boards: Readonly<Record<string, string>>,
  allow: Effect[],
): TargetConfig {
  const located = (slug: string) => (boards[slug] === undefined ? {} : { board: boards[slug] });
  const keys: NonNullable<TargetConfig['keys']> = {};
  for (const role of roles) {
    const key = assignment.keys[role];
    if (key !== undefined) keys[role] = { env: key.variable };
  }
  const { otherWorkspace } = assignment;
  if (keys.otherAccount !== undefined && otherWorkspace !== undefined) {
    keys.otherAccount = { ...keys.otherAccount, workspace: otherWorkspace, ...located(otherWorkspace) };
  }
  const workspaces = assignment.workspaces.map((slug) => ({ slug, ...located(slug) }));
  return { baseUrl, keys, ...(workspaces.length === 0 ? {} : { workspaces }), allow };
}

/** What reading does not show and was not asked: ids of boards, which requirements on images need. */
function toFillIn({ workspaces = [], keys }: TargetConfig): string[] {
  const boards = workspaces
    .slice(0, 2)
    .flatMap(({ board }, index) => (board === undefined ? [`workspaces[${index}].board`] : []));
  const { otherAccount } = keys ?? {};
  const theirs = otherAccount !== undefined && otherAccount.board === undefined ? ['keys.otherAccount.board'] : [];
  return [...boards, ...theirs];
}

function summaryOf({ keys, notices }: Assignment, config: TargetConfig, out: string): string {
  const rows = roles.filter((role) => keys[role] !== undefined).map((role) => row(role, keys[role]?.variable ?? ''));
  const missing = roles.filter((role) => keys[role] === undefined);
  const without = missing.length === 0 ? '' : `No key for: ${missing.join(', ')}\n`;
  const blanks = toFillIn(config);
  const fillIn = blanks.length === 0 ? '' : `To test images, fill in: ${blanks.join(', ')}\n`;
  const notes = lines(notices.map((notice) => `note: ${notice}`));
  return `${lines(rows)}${without}${notes}${fillIn}Written to ${out}. Next: tck run --config ${out}\n`;
}

function row(role: Role, variable: string): string {
  return `${role.padEnd(18)}${variable}`;
}

/** One line each. Slugs and codes are the deployment's words: nothing in them may steer the terminal. */
function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text.replace(/\p{C}/gu, '?')}\n`).join('');
}
