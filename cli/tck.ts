import yargs, { type Argv } from 'yargs';
import { lookOf } from '../reports/terminal/layout.ts';
import { kit } from '../suites/kit.ts';
import { nearest, UsageError } from '../suites/usage/usage-error.ts';
import { exitCodes } from '../suites/verdict.ts';
import { type Form, usageOf } from './command-line/declaration.ts';
import { declare, helpStrings, yargsOf } from './command-line/parse.ts';
import { commands, isCommand } from './commands.ts';
import type { Surroundings } from './process/surroundings.ts';

const about = 'Conformance test kit and reference stub for the tool-call API of a content workspace service';

const examples = [
  ['tck run --stub', 'Test the embedded stub'],
  ['tck run https://api.example.test', 'Test a deployment with the key in TCK_KEY_PRIMARY'],
  ['tck stub -- npm test', 'Run the tests of your client against the stub'],
] as const;

/** Runs `tck` with the given arguments and returns the exit code. Rejects with a UsageError for invalid arguments. */
export async function tck(given: readonly string[], around: Surroundings): Promise<number> {
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  const [name, ...rest] = args;
  const { width } = lookOf(around.stdout, around.env);
  const asks = (...forms: readonly string[]) => options(args).some((arg) => forms.includes(arg));
  const print = (text: string) => {
    around.stdout.write(text);
    return exitCodes.ok;
  };
  if (name === 'completion' || name === '--get-yargs-completions') return print(await completed(args));
  if (asks('--version', '-V')) return print(`${kit.version}\n`);
  const help = asks('--help', '-h');
  if (name === undefined || (help && name.startsWith('-'))) {
    print(await overview(width));
    return help ? exitCodes.ok : exitCodes.usage;
  }
  if (!isCommand(name)) throw new UsageError(unknownCommand(name));
  const { summary, load } = commands[name];
  const command = await load();
  return help ? print(await helpOf(command.form, summary, width)) : command.run(rest, around);
}

/** The arguments before `--`. */
function options(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `expected a command before ${name}; tck --help lists the commands`;
  const meant = nearest(name, Object.keys(commands));
  const advice = meant === undefined ? 'tck --help lists the commands' : `did you mean ${meant}?`;
  return `unknown command ${name} (${advice})`;
}

/** The help of a command: usage, arguments, options, examples and exit codes. Ends with a line feed. */
export async function helpOf(form: Form, summary: string, columns: number): Promise<string> {
  const help = await withHelp(yargsOf(form), columns)
    .usage(`${usageOf(form)}\n\n${summary}`)
    .getHelp();
  const { exits = { 0: 'done', 2: 'wrong usage' } } = form;
  const codes = Object.entries(exits).map(([code, meaning]) => `\n  ${code}  ${meaning}`);
  return `${help}\n${examplesOf(form.examples ?? [])}\n\nExit codes:${codes.join('')}\n`;
}

async function overview(columns: number): Promise<string> {
  const help = withHelp(allCommands(), columns).usage(`tck <command> [options]\n\n${about}`);
  return `${await help.getHelp()}\n${examplesOf(examples)}\n\ntck help COMMAND shows the options of a command.\n`;
}

function withHelp(parser: Argv, columns: number): Argv {
  return parser
    .updateStrings(helpStrings)
    .help('help', 'Show this help')
    .alias('help', 'h')
    .version('version', 'Show the version', '')
    .alias('version', 'V')
    .wrap(columns);
}

/** Lines are never wrapped, so that a reader can copy them. */
function examplesOf(rows: NonNullable<Form['examples']>): string {
  return ['\nExamples:', ...rows.map(([line, meaning]) => `  ${line}\n      ${meaning}`)].join('\n');
}

/** yargs with all commands. Only `loaded` has its options. */
function allCommands(loaded?: Form): Argv {
  const all = yargs([]).scriptName('tck').locale('en').exitProcess(false);
  for (const [name, { summary }] of Object.entries(commands)) {
    all.command(name, summary, (parser) => (name === loaded?.name ? declare(parser, loaded) : parser));
  }
  return all.completion('completion', 'Print the script that completes command lines in a shell');
}

/** The completion script of yargs, or the completions that the script asks for. */
async function completed(args: readonly string[]): Promise<string> {
  const name = args[2] ?? '';
  const loaded = args.length > 3 && isCommand(name) ? (await commands[name].load()).form : undefined;
  let text = '';
  await allCommands(loaded).parseAsync([...args], {}, (_error: unknown, _argv: unknown, output: string) => {
    text = output;
  });
  return `${text}\n`;
}
