import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { roleEnv, roles } from '../fixtures/roles.ts';
import type { TargetConfig } from '../fixtures/target-config.ts';
import { Redactor } from '../suites/exchange/redactor.ts';
import { type Assignment, assignRoles } from '../suites/init/assign.ts';
import type { CandidateKey, Places } from '../suites/init/probe.ts';
import { Unanswered } from '../suites/session/call.ts';
import { shellWords } from '../suites/session/shell.ts';
import { readConfigFile } from '../suites/target/config-file.ts';
import { assertKey } from '../suites/target/secret.ts';
import { defaultMaxImages, isLoopback, parseBaseUrl, safeBaseUrl } from '../suites/target/target.ts';
import { isThere, whyNotWritten, writeWhole } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { exitCodes } from '../suites/verdict.ts';
import { type Given, required } from './command-line/declaration.ts';
import { choice, text, words } from './command-line/option.ts';
import { commandOf } from './command-line/parse.ts';
import { insecureWords, programOf } from './next-command.ts';
import { insecure } from './options.ts';
import { pipelineOf, pipelinePaths, type System, systems } from './pipelines.ts';
import type { Surroundings } from './process/surroundings.ts';

const initOptions = {
  'key-env': words(
    'Read a key from each of these environment variables (default: the variables TCK_KEY_… that are set)',
  ),
  out: text('Write the configuration to this file', 'tck.config.json'),
  ci: choice('Also write a pipeline for this system; keeps an existing configuration', systems),
  insecure,
};

const positionals = { url: required('Base URL of the deployment') };

export const command = commandOf({
  name: 'init',
  positionals,
  options: initOptions,
  exits: { 0: 'wrote the configuration', 2: 'wrong usage', 3: 'the deployment is unreachable, or accepts no key' },
  examples: [
    ['tck init https://api.example.test', 'Find the roles of the keys in TCK_KEY_PRIMARY and so on'],
    ['tck init https://api.example.test --key-env KEY_1 KEY_2', 'Find the roles of two keys'],
    ['tck init https://api.example.test --ci gitlab', 'Also write a pipeline for GitLab'],
  ],
  run: configure,
});

type InitOptions = Given<typeof initOptions, typeof positionals>;

/**
 * Finds the role of each key with requests that only read, and writes a configuration. Returns 3 if the deployment
 * serves no key.
 */
async function configure(options: InitOptions, io: Surroundings): Promise<number> {
  const baseUrl = safeBaseUrl(options.url, 'url', options.insecure);
  const file = resolve(io.cwd, options.out);
  if (options.ci !== undefined) await assertFree(pipelinePaths[options.ci], '--ci', io);
  if (options.ci !== undefined && (await isThere(file))) return addPipeline(options.ci, options, io);
  await assertFree(options.out, '--out', io);
  const keys = candidates(options, io);
  io.hide(new Redactor(new Map(keys.map(({ key, variable }) => [key, variable]))).redact);
  const { findPlaces, probe } = await import('../suites/init/probe.ts');
  const probed = await probe(baseUrl, keys, io.signal).catch((error: unknown) => {
    if (error instanceof Unanswered) return error;
    throw error;
  });
  if (probed instanceof Unanswered) {
    io.stderr.write(`tck: cannot reach ${baseUrl}: ${probed.message}\n`);
    return exitCodes.inconclusive;
  }
  const assignment = assignRoles(probed);
  if (assignment.keys.primary === undefined) {
    io.stderr.write(`tck: ${baseUrl} accepts none of these keys\n${lines(assignment.notices)}`);
    return exitCodes.inconclusive;
  }
  const { primary, otherAccount } = assignment.keys;
  const { workspaces, otherWorkspace } = assignment;
  const searches = [
    [primary, workspaces.slice(0, 2)] as const,
    ...(otherAccount && otherWorkspace !== undefined ? [[otherAccount, [otherWorkspace]] as const] : []),
  ];
  const config = configOf(baseUrl, assignment, await findPlaces(baseUrl, searches, io.signal));
  await write(file, `${JSON.stringify(config, null, 2)}\n`, '--out', options.out);
  io.stdout.write(summaryOf(assignment, config, options.out));
  if (options.ci !== undefined) {
    const variables = Object.values(assignment.keys).map(({ variable }) => variable);
    await writePipeline(options.ci, options.out, config, variables, options.insecure, io);
  }
  const next = [...programOf(io.env), 'plan', '--config', options.out, ...insecureWords(options.insecure)];
  io.stdout.write(`Next: ${shellWords(next)}\n`);
  return exitCodes.ok;
}

/** Writes a pipeline for a configuration that exists, and leaves the configuration as it is. */
async function addPipeline(system: System, { out, url, insecure }: InitOptions, io: Surroundings): Promise<number> {
  const { config } = await readConfigFile(out, io.cwd);
  if (config.baseUrl !== undefined && parseBaseUrl(config.baseUrl, 'baseUrl') !== parseBaseUrl(url, 'url')) {
    throw new UsageError(
      `url: expected ${config.baseUrl}, the baseUrl of '${out}'; to write that file again, rename it first`,
    );
  }
  const secrets = [...Object.values(config.keys ?? {}), ...Object.values(config.headers ?? {})];
  const keys = secrets.flatMap((key) => (typeof key === 'object' && key.env !== undefined ? [key.env] : []));
  io.stdout.write(`${out} is kept.\n`);
  await writePipeline(system, out, { ...config, baseUrl: parseBaseUrl(url, 'url') }, keys, insecure, io);
  return exitCodes.ok;
}

async function writePipeline(
  system: System,
  config: string,
  { baseUrl = '', allow = [], maxImages = defaultMaxImages }: TargetConfig,
  variables: readonly string[],
  insecure: boolean,
  io: Surroundings,
): Promise<void> {
  const { text, next } = pipelineOf(system, config, [...new Set(variables)], insecure);
  const path = pipelinePaths[system];
  const file = resolve(io.cwd, path);
  await mkdir(dirname(file), { recursive: true });
  await write(file, text, '--ci', path);
  const notes = [
    ...(allow.includes('spending')
      ? [`Each push runs this pipeline and confirms up to ${maxImages} images, which costs credits.`]
      : []),
    ...(isLoopback(baseUrl)
      ? [`A pipeline usually cannot reach ${baseUrl}: change baseUrl in ${config} to an address that it can reach.`]
      : []),
  ].map((note) => `\nnote: ${note}`);
  io.stdout.write(`Written to ${path}. Next: ${next}${notes.join('')}\n`);
}

/** Keys in the variables of the command line, or in the usual ones. */
function candidates({ keyEnv }: InitOptions, { env }: Surroundings): CandidateKey[] {
  const usual = roles.map(roleEnv).filter((name) => (env[name] ?? '') !== '');
  const names = [...new Set(keyEnv ?? usual)];
  if (names.length === 0)
    throw new UsageError(`--key-env: expected variables that hold keys, because ${roleEnv('primary')} is not set`);
  return names.map((variable) => {
    const key = env[variable];
    if (key === undefined)
      throw new UsageError(`--key-env: expected the environment variable ${variable} to be set, but it is not`);
    assertKey(key, `--key-env ${variable}`);
    return { variable, key };
  });
}

async function assertFree(name: string, option: string, { cwd }: Surroundings): Promise<void> {
  if (await isThere(resolve(cwd, name)))
    throw new UsageError(`${option}: '${name}' exists: delete or rename the file first`);
}

async function write(file: string, content: string, option: string, name: string): Promise<void> {
  await writeWhole(file, content).catch((error: unknown) => {
    throw new UsageError(`${option}: cannot write '${name}': ${whyNotWritten(error)}`);
  });
}

function configOf(baseUrl: string, assignment: Assignment, places: Places): TargetConfig {
  const { boards, otherBoards, shape } = places;
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
  const workspaces = assignment.workspaces.map((slug) => {
    const other = otherBoards[slug];
    return { slug, ...located(slug), ...(other === undefined || other === boards[slug] ? {} : { otherBoard: other }) };
  });
  const found = { ...(workspaces.length === 0 ? {} : { workspaces }), ...(shape === undefined ? {} : { shape }) };
  return { baseUrl, keys, ...found, allow: [] };
}

/** Settings to fill in: board IDs, which requirements on images need. */
function toFillIn({ workspaces = [], keys }: TargetConfig): string[] {
  const [first, second] = workspaces;
  const places = { 'workspaces[0]': first, 'workspaces[1]': second, 'keys.otherAccount': keys?.otherAccount };
  const blank = Object.entries(places).filter(([, place]) => place !== undefined && place.board === undefined);
  return blank.map(([name]) => `${name}.board`);
}

function summaryOf({ keys, notices }: Assignment, config: TargetConfig, out: string): string {
  const rows = roles.flatMap((role) => (keys[role] === undefined ? [] : `${role.padEnd(18)}${keys[role].variable}`));
  const missing = roles.filter((role) => keys[role] === undefined);
  const without = missing.length === 0 ? '' : `No key for: ${missing.join(', ')}\n`;
  const blanks = toFillIn(config);
  const fillIn =
    blanks.length === 0
      ? ''
      : `To test images, fill in: ${blanks.join(', ')}\n` +
        'The read-only requests returned no board. Get the ID from the service, for example from the argument board ' +
        'of an images.generate request of an existing client.\n';
  const notes = lines(notices.map((notice) => `note: ${notice}`));
  return `${lines(rows)}${without}${notes}${fillIn}Written to ${out}.\n`;
}

/** One line for each text. Slugs and codes come from the deployment, so control characters are replaced. */
function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text.replace(/\p{C}/gu, '?')}\n`).join('');
}
