import parser from 'yargs-parser';
import { nearest } from '../../suites/usage/nearest.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { type Form, usageOf } from './declaration.ts';

/** Option names of other tools and of earlier versions, each with the equivalent option. */
const elsewhere: Readonly<Record<string, string>> = {
  strict: 'require',
  output: 'out',
  exclude: 'skip',
  filter: 'only',
  dialect: 'variant',
  dialects: 'variants',
  hostile: 'variant',
};

/** Options that people often pass to the wrong command, each with the right command. */
export const ofOtherCommands: Readonly<Record<string, string>> = {
  defect: 'stub',
  variant: 'stub',
  fault: 'stub',
  control: 'stub',
  scenario: 'judge',
  person: 'judge',
  assume: 'audit',
};

/** Parses a command line into values by camel-case name. Throws a UsageError for unknown options and arguments. */
export function parse(its: Form, args: readonly string[]): Record<string, unknown> {
  const { argv, error } = parsed(its, args);
  const { _: places, '--': program = [], ...given } = argv;
  refuseUnknown(its, Object.keys(given));
  if (error !== null) throw new UsageError(error.message);
  const values = Object.entries(its.options).map(([name, option]) => {
    const value: unknown = given[name];
    if (option.kind !== 'list' && Array.isArray(value)) {
      throw new UsageError(`--${name}: expected once, got ${value.length} times`);
    }
    return [camelCase(name), option.read(value, `--${name}`)];
  });
  return {
    ...Object.fromEntries(values),
    ...placed(its, places.map(String)),
    program: programAfter(its, args, program.map(String)),
  };
}

/** Text of an option, even if the rest of the command line is invalid. */
export function textOf(its: Form, args: readonly string[], name: string): string | undefined {
  const value: unknown = parsed(its, args).argv[name] ?? its.options[name]?.initially;
  return typeof value === 'string' ? value : undefined;
}

function parsed(its: Form, args: readonly string[]): parser.DetailedArguments {
  const named = Object.entries(its.options);
  const valued = named.filter(([, { kind }]) => kind !== 'flag');
  const settings = {
    boolean: named.filter(([, { kind }]) => kind === 'flag').map(([name]) => name),
    string: valued.map(([name]) => name),
    array: named.filter(([, { kind }]) => kind === 'list').map(([name]) => name),
    narg: Object.fromEntries(
      valued.filter(([, its]) => its.greedy !== true && its.valueOptional !== true).map(([name]) => [name, 1]),
    ),
    alias: Object.fromEntries(named.map(([name, { alias }]) => [name, alias ?? []])),
    configuration: {
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
      'strip-aliased': true,
    },
    // The only error of the parser itself is a missing value.
    __: (_complaint: string, name: string) => `--${name}: expected a value`,
  };
  return parser.detailed([...args], settings);
}

function refuseUnknown({ name: command, options }: Form, given: readonly string[]): void {
  const unknown = given.find((name) => !Object.hasOwn(options, name));
  if (unknown === undefined) return;
  const dashed = `${unknown.length === 1 ? '-' : '--'}${unknown}`;
  const known = Object.keys(options);
  const taker = ofOtherCommands[unknown];
  if (taker !== undefined) throw new UsageError(`unknown option ${dashed} (it is an option of tck ${taker})`);
  const meant = known.find((name) => name === elsewhere[unknown]) ?? nearest(unknown, known);
  const advice = meant === undefined ? `tck ${command} --help lists the options` : `did you mean --${meant}?`;
  throw new UsageError(`unknown option ${dashed} (${advice})`);
}

/** Positional arguments by name. */
function placed(its: Form, places: readonly string[]): Record<string, unknown> {
  const left = [...places];
  const values: Record<string, unknown> = {};
  for (const [name, { form }] of Object.entries(its.positionals ?? {})) {
    if (left.length === 0 && form !== 'optional') throw new UsageError(`<${name}> is missing: ${usageOf(its)}`);
    values[name] = form === 'several' ? left.splice(0) : left.shift();
  }
  const [surplus] = left;
  if (surplus !== undefined) throw new UsageError(`unexpected argument '${surplus}': ${usageOf(its)}`);
  return values;
}

function programAfter(its: Form, args: readonly string[], program: readonly string[]): readonly string[] {
  if (its.program === undefined && args.includes('--')) {
    throw new UsageError(`tck ${its.name} runs no command: expected nothing after --`);
  }
  const missing = args.at(-1) === '--' || its.program === 'required';
  if (program.length === 0 && missing) throw new UsageError(`expected a command after --: ${usageOf(its)}`);
  return program;
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
