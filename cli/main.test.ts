import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { scenarios } from '../stub/judge/scenarios.ts';
import { variants } from '../stub/variants/conforming/index.ts';
import { defects } from '../stub/variants/defects.ts';
import { kit } from '../suites/kit.ts';
import { requirements } from '../suites/requirements.ts';
import { tck, tckProcess } from '../test/tck.ts';
import { elsewhere } from './command-line/parse.ts';
import { commands, isCommand } from './commands.ts';
import { helpOf } from './tck.ts';

const { engines } = packageJson;

test('tck --version, and the kit is called what its package is called', async () => {
  expect(kit).toEqual({ name: packageJson.name, version: packageJson.version });
  expect(await tckProcess(['--version'])).toEqual({ code: 0, stdout: `${kit.version}\n`, stderr: '' });
});

test('tck alone, tck help and --help show the commands, tck help COMMAND the options of one', async () => {
  const all = [[], ['help'], ['--help'], ['help', 'run'], ['run', '-h']].map((args) => tck(args));
  const [alone, help, asOption, ofRun, sameOfRun] = await Promise.all(all);
  expect([alone?.code, help?.code, ofRun?.code]).toEqual([2, 0, 0]);
  expect([alone?.stdout, asOption?.stdout, sameOfRun]).toEqual([help?.stdout, help?.stdout, ofRun]);
  for (const command of Object.keys(commands)) expect(help?.stdout).toContain(`tck ${command}`);
  expect(help?.stdout.split('Examples:\n')[1]?.match(/^ {2}tck .*$/gm)).toHaveLength(3);
  // Examples are never wrapped, so readers can copy them.
  expect(ofRun?.stdout).toContain('\n  tck run --config tck.config.json --allow proposals,writes --require all\n');
  expect(ofRun?.stdout).toContain('\nExit codes:\n  0  the gate passed\n  1  the gate failed\n');
});

test.concurrent.each<[string[], string]>([
  [['rnu'], 'unknown command rnu (did you mean run?)'],
  [['describe', 'everything'], "unexpected argument 'everything': tck describe [options]"],
  [['judge'], 'expected a command after --: tck judge [options] -- <command>'],
  [['frobnicate'], 'unknown command frobnicate (tck --help lists the commands)'],
])('wrong usage %j is told in one line, with exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await tck(args);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `tck: ${message}\n` });
});

test.each(Object.entries(elsewhere))('instead of --%s there is %s', async (name, instead) => {
  const [, of = ''] = /^tck (\w+)$/.exec(instead) ?? [];
  const { form } = await commands[isCommand(of) ? of : 'run'].load();
  expect(form.options).toHaveProperty(isCommand(of) ? name : instead.slice(2));
});

test('tck completion prints the script of yargs, which completes commands, options and choices', async () => {
  const { stdout } = await tck(['completion']);
  expect(stdout).toContain('complete -o bashdefault -o default -F _tck_yargs_completions tck');
  const completions = async (...words: string[]) =>
    (await tck(['--get-yargs-completions', 'tck', ...words])).stdout.trim().split('\n');
  expect(await completions('')).toEqual([...Object.keys(commands), 'completion']);
  expect(await completions('run', '--l')).toEqual(expect.arrayContaining(['--label', '--last-failed', '--out']));
  expect(await completions('describe', '--tools', '')).toEqual(['openai', 'anthropic', 'ai-sdk']);
});

test('13 commands and few options: each further option needs a reason that convinces everybody', async () => {
  const forms = await Promise.all(Object.values(commands).map(async ({ load }) => (await load()).form));
  expect([...Object.keys(commands), 'completion']).toEqual(
    'run plan init list explain describe open compare audit proxy stub judge completion'.split(' '),
  );
  expect(new Set(forms.flatMap(({ options }) => Object.keys(options))).size).toBeLessThanOrEqual(72);
});

test('tck describe prints the published description', async () => {
  const { code, stdout } = await tck(['describe']);
  expect(code).toBe(0);
  expect(stdout).toBe(await readFile(new URL('../fixtures/contract/openapi.json', import.meta.url), 'utf8'));
});

test('tck list shows every requirement, and as JSON what each story needs', async () => {
  const [text, json] = await Promise.all([tck(['list']), tck(['list', '--json'])]);
  const listed: { id: string; stories: { needs: { roles: string[] } }[] }[] = JSON.parse(json.stdout);
  expect(listed).toHaveLength(requirements.length);
  for (const { id, stories } of listed) {
    expect(text.stdout).toContain(`  ${id}  (`);
    expect(stories.length, id).toBeGreaterThan(0);
  }
});

test.each<[string, Partial<Record<'stdout' | 'stderr', RegExp>>]>([
  [
    'race',
    { stdout: /^race\n {2}race\.\S+ {2}\(must, .*\n {4}story: .*\n {4}needs: a key for.*\n\n\d requirements\n$/s },
  ],
  ['race.one-* --json', { stdout: /^\[\s*\{\s*"id": "race\.one-dispatches",[^}]*\}/ }],
  ['raec', { stderr: /^tck: pattern: 'raec' selects no requirement; did you mean 'race'\?\n$/ }],
  ['race --defects', { stderr: /^tck: pattern: expected without --variants, --defects, --client-rules and --scen/ }],
  ['--defects', { stdout: /^envelopes\n {2}byte-order-mark\n {4}starts the response body.*\nrate-limit\n/s }],
  ['--defects', { stdout: new RegExp(`\n {4}breaks: .*\n${Object.keys(defects).length} defects\n$`, 's') }],
  ['--defects --json', { stdout: /"id": "byte-order-mark",\s+"what": ".*",\s+"breaks": \[\s+"envelopes\.json-200"/ }],
  ['--variants', { stdout: new RegExp(`\n${Object.keys(variants).length} variants\n`) }],
  ['--variants --json', { stdout: /^\[\s*\{\s*"name": "changing-extras",\s+"what": ".+",\s+"room": ".+"\s*\}/ }],
])('tck list %s', async (args, { stdout = /^/, stderr = /^$/ }) => {
  const listed = await tck(['list', ...args.split(' ')]);
  expect(listed).toMatchObject({ stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) });
});

test('what a command is called with after -- is not read as an option of tck', async () => {
  const { code, stdout } = await tck(['stub', '--', process.execPath, '--version']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${process.version}\n` });
});

test.each(Object.entries(commands))(
  'the help of tck %s fits 80 columns, and its examples work',
  async (name, listed) => {
    expect(await tck([name, '-V'])).toMatchObject({ code: 0, stdout: `${kit.version}\n` });
    const { form } = await listed.load();
    expect(listed.summary).toMatch(/^[A-Z][a-z]+[^s] /);
    const help = await helpOf(form, listed.summary, 80);
    expect(help).toMatch(new RegExp(`^tck ${name}( .*)?\n\n${listed.summary}\n`));
    // Examples are never wrapped.
    const [before = '', after = ''] = help.split('\nExamples:\n');
    expect(after).toMatch(/^ {2}tck /);
    const meanings = after.split('\n').filter((line) => !line.startsWith('  tck '));
    for (const line of [...before.split('\n'), ...meanings]) expect(line.length, line).toBeLessThanOrEqual(80);
    for (const [line] of form.examples ?? []) {
      const [own = ''] = line.split(' -- ');
      for (const [, option = ''] of own.matchAll(/ --([\w-]+)/g)) expect(form.options).toHaveProperty(option);
      const [, chosen] = / --scenario (\S+)/.exec(own) ?? [];
      const names = [...scenarios.map((scenario) => scenario.name), 'agents'];
      for (const scenario of chosen?.split(',') ?? []) expect(names).toContain(scenario);
    }
  },
);

test.each([
  ["{ node: '20.19.0' }", 'Node.js 20.19.0 is too old: install % or newer'],
  ["{ bun: '1.4.5' }", 'Bun does not run tck: use Node.js % or Deno'],
])('a runtime with the versions %s is told so in one sentence, before anything is loaded', async (versions, told) => {
  const as = `Object.defineProperty(process, 'versions', { value: { ...process.versions, ...${versions} } });`;
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(as)}`;
  const stderr = `tck: ${told.replace('%', engines.node.slice(2))}\n`;
  expect(await tckProcess([], { env: { NODE_OPTIONS } })).toEqual({ code: 2, stdout: '', stderr });
  expect(await readFile(main, 'utf8')).not.toMatch(/^(import|export) /m);
});
