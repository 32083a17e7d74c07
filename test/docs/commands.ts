import { writeFileSync } from 'node:fs';
import { type Form, usageOf } from '../../cli/command-line/declaration.ts';
import type { Option } from '../../cli/command-line/option.ts';
import { commands } from '../../cli/commands.ts';

export const commandsFile = new URL('../../docs/commands.md', import.meta.url);

/** Reference of all commands, generated from the declarations that `--help` uses. */
export async function commandsPage(): Promise<string> {
  const entries = Object.entries(commands);
  const written = entries.map(async ([, { summary, load }]) => sectionOf((await load()).form, summary));
  const sections = await Promise.all(written);
  return [
    '# Commands',
    '',
    'This page lists all commands with options, exit codes, and examples. `tck help COMMAND` prints the same text.',
    '',
    '| Command | Purpose |',
    '| --- | --- |',
    ...entries.map(([name, { summary }]) => `| [\`tck ${name}\`](#tck-${name}) | ${cell(summary)} |`),
    ...sections.flat(),
    '',
  ].join('\n');
}

function sectionOf(form: Form, summary: string): string[] {
  const { positionals = {}, groups = {}, examples = [], exits = { 0: 'done', 2: 'wrong usage' } } = form;
  const grouped = new Set(Object.values(groups).flat());
  const others = Object.keys(form.options).filter((name) => !grouped.has(name));
  const args = Object.entries(positionals).map(([name, { describe }]) => [`\`${name}\``, cell(describe)] as const);
  const codes = Object.entries(exits).map(([code, meaning]) => [code, cell(meaning)] as const);
  const rowsOf = (names: readonly string[]) => names.map((name) => optionRow(name, form.options[name]));
  const tables = [...Object.entries(groups), ['Options', others] as const].map(
    ([head, names]) => [head, rowsOf(names)] as const,
  );
  return [
    '',
    `## tck ${form.name}`,
    '',
    `${summary}.`,
    '',
    `    ${usageOf(form)}`,
    ...table('Argument', args),
    ...tables.flatMap(([heading, rows]) => table(heading, rows)),
    ...table('Exit code', codes),
    ...(examples.length === 0 ? [] : ['', ...examples.map(([line, meaning]) => `- \`${line}\`: ${meaning}.`)]),
  ];
}

function optionRow(name: string, option: Option<unknown> | undefined): [string, string] {
  if (option === undefined) throw new Error(`the option ${name} is in a group but is not declared`);
  const { describe, default: initially, choices, alias } = option;
  const value = option.boolean ? '' : ` ${choices?.join('|') ?? kindOf(option)}`;
  const also = alias === undefined ? '' : `, \`--${alias}\``;
  const shown = initially === undefined || option.boolean ? '' : ` (default: \`${initially}\`)`;
  return [`\`--${name}${value}\`${also}`, cell(`${describe}${shown}`)];
}

const kindOf = ({ array, number }: Option<unknown>) => (array ? 'LIST' : number ? 'NUMBER' : 'TEXT');

function table(heading: string, rows: readonly (readonly [name: string, meaning: string])[]): string[] {
  if (rows.length === 0) return [];
  return ['', `| ${heading} | Meaning |`, '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)];
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

if (import.meta.main) writeFileSync(commandsFile, await commandsPage());
