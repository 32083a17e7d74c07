import { lookOf } from '../reports/terminal/look.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { kit } from '../suites/kit.ts';
import { nearest } from '../suites/usage/nearest.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
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
  const own = name === undefined || name.startsWith('-') ? args : rest;
  if (asks(own, '--version', '-V')) {
    around.stdout.write(`${kit.version}\n`);
    return exitCodes.ok;
  }
  const help = asks(own, '--help', '-h');
  const { width } = lookOf(around.stdout, around.env);
  if (name === undefined || (help && own === args)) {
    const { overview } = await import('./command-line/help.ts');
    around.stdout.write(await overview(about, commands, examples, width));
    return help ? exitCodes.ok : exitCodes.usage;
  }
  if (!isCommand(name)) throw new UsageError(unknownCommand(name));
  const { summary, load } = commands[name];
  const command = await load();
  if (!help) return command.run(rest, around);
  around.stdout.write(await command.help(summary, width));
  return exitCodes.ok;
}

function asks(args: readonly string[], ...forms: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => forms.includes(arg));
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `expected a command before ${name}; tck --help lists the commands`;
  const meant = nearest(name, Object.keys(commands));
  const advice = meant === undefined ? 'tck --help lists the commands' : `did you mean ${meant}?`;
  return `unknown command ${name} (${advice})`;
}
