import yargs, { type Options as HelpOptions } from 'yargs';
import { withoutUndefined } from '../../suites/without-undefined.ts';
import { type Form, placesOf, usageOf } from './declaration.ts';
import type { Option } from './option.ts';

/** The help of a command: usage, arguments, options, examples and exit codes. Ends with a line feed. */
export async function helpOf(its: Form, summary: string, columns: number): Promise<string> {
  const help = page(`tck ${its.name}`, columns);
  // yargs shows arguments only for commands, so this is a hidden default command.
  help.usage(`${usageOf(its)}\n\n${summary}`).command(`$0 ${placesOf(its)}`, false, (command) => {
    for (const [name, { describe }] of Object.entries(its.positionals ?? {})) command.positional(name, { describe });
    for (const [name, option] of Object.entries(its.options)) command.option(name, shown(option));
    for (const [heading, names] of Object.entries(its.groups ?? {})) command.group([...names], `${heading}:`);
    return command;
  });
  const { examples = [], exits = { 0: 'done', 2: 'wrong usage' } } = its;
  const codes = Object.entries(exits).map(([code, meaning]) => [code, meaning] as const);
  return [await help.getHelp(), section('Examples', examples), section('Exit codes', codes), ''].join('\n');
}

/** Lines are never wrapped, so that a reader can copy them. */
function section(heading: string, rows: readonly (readonly [left: string, meaning: string])[]): string {
  const lines = rows.map(([left, meaning]) =>
    /^\d$/.test(left) ? `  ${left}  ${meaning}` : `  ${left}\n      ${meaning}`,
  );
  return rows.length === 0 ? '' : ['', `${heading}:`, ...lines].join('\n');
}

/** The help of `tck`: its commands with the most useful examples. Ends with a line feed. */
export async function overview(
  about: string,
  commands: Readonly<Record<string, { readonly summary: string }>>,
  examples: readonly (readonly [line: string, meaning: string])[],
  columns: number,
): Promise<string> {
  const help = page('tck', columns).usage(`tck <command> [options]\n\n${about}`);
  for (const [name, { summary }] of Object.entries(commands)) help.command(name, summary);
  const more = 'tck help COMMAND shows the options of a command.';
  return `${await help.getHelp()}\n${section('Examples', examples)}\n\n${more}\n`;
}

function page(name: string, columns: number) {
  return yargs([])
    .scriptName(name)
    .locale('en')
    .updateStrings({ 'Positionals:': 'Arguments:', array: 'list', boolean: 'flag', string: 'text' })
    .help('help', 'Show this help')
    .alias('help', 'h')
    .version('version', 'Show the version', '')
    .alias('version', 'V')
    .wrap(columns);
}

const types = { text: 'string', number: 'number', flag: 'boolean', list: 'array' } as const;

function shown({ kind, describe, initially, choices, alias, required }: Option<unknown>): HelpOptions {
  return {
    type: types[kind],
    describe,
    ...withoutUndefined({ default: initially, choices, alias }),
    ...(required === true ? { demandOption: true } : {}),
  };
}
