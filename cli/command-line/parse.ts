import yargs, { type Argv } from 'yargs';
import { nearest, UsageError } from '../../suites/usage/usage-error.ts';
import type { Surroundings } from '../process/surroundings.ts';
import { type Declaration, type Form, type Given, type Positionals, placesOf, usageOf } from './declaration.ts';
import type { Options } from './option.ts';

/** Options of other tools and of other commands, each with what to use instead. */
export const elsewhere: Readonly<Record<string, string>> = {
  strict: '--require',
  output: '--out',
  exclude: '--skip',
  filter: '--only',
  defect: 'tck stub',
  variant: 'tck stub',
  fault: 'tck stub',
  control: 'tck stub',
  scenario: 'tck judge',
  person: 'tck judge',
  assume: 'tck audit',
};

/** A command of `tck`. */
export interface Command {
  readonly form: Form;
  /** Returns the exit code. Rejects with a UsageError for an invalid command line. */
  run(args: readonly string[], around: Surroundings): Promise<number>;
}

/** Creates a command from its declaration. */
export function commandOf<O extends Options, P extends Positionals = Record<never, never>>(
  its: Declaration<O, P>,
): Command {
  return {
    form: its,
    async run(args, around) {
      const { out, read } = parse(its, args);
      if (out !== undefined && its.setsAside) {
        const { setAsideReport } = await import('../../reports/folder.ts');
        await setAsideReport(out, around.cwd);
      }
      return its.run(read() as Given<O, P>, around); // the declaration is its type
    },
  };
}

/** Parses a command line. Returns `--out`, even if the rest is wrong, and a function that reads the values. */
export function parse(its: Form, args: readonly string[]) {
  let argv: Record<string, unknown> = {};
  /** Returns the values by camel-case name. Throws a UsageError for a wrong command line. */
  let read = () => valuesOf(its, args, argv);
  const parser = yargsOf(its)
    .help(false)
    .version(false)
    .fail((message) => {
      argv = parser.parsed === false ? {} : parser.parsed.argv;
      const problem = new UsageError(problemOf(its, argv) ?? message.replace(/\s+/g, ' '));
      read = () => {
        throw problem;
      };
      throw problem;
    });
  try {
    argv = parser.parseSync([...args]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  return { out: typeof argv.out === 'string' ? argv.out : undefined, read };
}

/** A parser of one command. yargs knows arguments only of commands, so the command is the default one. */
export function yargsOf(its: Form): Argv {
  return yargs([])
    .scriptName(`tck ${its.name}`)
    .locale('en')
    .updateStrings(strings)
    .parserConfiguration(configuration)
    .strict()
    .exitProcess(false)
    .command(`$0 ${placesOf(its)}`.trim(), false, (parser) => declare(parser, its));
}

/** Declares the options and arguments of a command. */
export function declare(parser: Argv, { positionals = {}, options, groups = {} }: Form): Argv {
  for (const [name, { describe }] of Object.entries(positionals)) parser.positional(name, { describe });
  for (const [name, { read: _, ...option }] of Object.entries(options)) parser.option(name, option);
  for (const [heading, names] of Object.entries(groups)) parser.group([...names], `${heading}:`);
  return parser;
}

/** Words of the help instead of those of yargs. */
export const helpStrings = { 'Positionals:': 'Arguments:', array: 'list', boolean: 'flag', string: 'text' };

const strings = {
  ...helpStrings,
  'Not enough arguments following: %s': '--%s: expected a value',
  'Invalid values:': 'wrong value:',
  'Argument: %s, Given: %s, Choices: %s': '--%s: got %s, expected one of %s',
};

const configuration = {
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'populate--': true,
};

/** The reason why a command line is wrong, if yargs has no helpful sentence for it. */
function problemOf(its: Form, argv: Record<string, unknown>): string | undefined {
  const known = Object.keys(its.options);
  const places = Object.entries(its.positionals ?? {});
  const unknown = Object.keys(argv).find(
    (name) => ![...known, ...places.map(([place]) => place), '_', '--', '$0'].includes(name),
  );
  if (unknown !== undefined) {
    const other = elsewhere[unknown] ?? '';
    const meant = known.includes(other.slice(2)) ? other.slice(2) : nearest(unknown, known);
    const advice = other.startsWith('tck ')
      ? `it is an option of ${other}`
      : meant === undefined
        ? `tck ${its.name} --help lists the options`
        : `did you mean --${meant}?`;
    return `unknown option ${unknown.length === 1 ? '-' : '--'}${unknown} (${advice})`;
  }
  const left = Array.isArray(argv._) ? argv._ : [];
  // yargs names the arguments only if there are enough of them.
  const missing = places.filter(([name, { form }]) => form !== 'optional' && argv[name] === undefined)[left.length];
  if (missing !== undefined) return `<${missing[0]}> is missing: ${usageOf(its)}`;
  return left.length === 0 ? undefined : `unexpected argument '${left[0]}': ${usageOf(its)}`;
}

function valuesOf(its: Form, args: readonly string[], argv: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(its.options).map(([name, option]) => {
    const given = argv[name];
    if (option.array !== true && Array.isArray(given)) {
      throw new UsageError(`--${name}: expected once, got ${given.length} times`);
    }
    try {
      return [camelCase(name), option.read(given)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`--${name}: ${error.message}`);
    }
  });
  const places = Object.keys(its.positionals ?? {}).map((name) => [name, argv[name]]);
  return { ...Object.fromEntries([...values, ...places]), program: programAfter(its, args, argv['--']) };
}

function programAfter(its: Form, args: readonly string[], given: unknown): readonly string[] {
  const program = Array.isArray(given) ? given.map(String) : [];
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
