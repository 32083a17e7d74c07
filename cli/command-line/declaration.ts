import type { Surroundings } from '../process/surroundings.ts';
import type { Option, Options } from './option.ts';

/** An argument that is no option. */
export interface Positional<Value> {
  readonly describe: string;
  readonly form: 'required' | 'optional' | 'several';
  /** Only for its type. */
  readonly value?: Value;
}

export type Positionals = Readonly<Record<string, Positional<unknown>>>;

export const required = (describe: string): Positional<string> => ({ describe, form: 'required' });
export const optional = (describe: string): Positional<string | undefined> => ({ describe, form: 'optional' });
export const several = (describe: string): Positional<readonly string[]> => ({ describe, form: 'several' });

type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** What a command line gives to a command: a member for each option and argument, and the program after `--`. */
export type Given<O extends Options, P extends Positionals = Record<never, never>> = {
  [Name in keyof O as CamelCase<Name>]: O[Name] extends Option<infer Value> ? Value : never;
} & { [Name in keyof P]: P[Name] extends Positional<infer Value> ? Value : never } & {
  /** The program with its arguments; empty where there is none. */
  readonly program: readonly string[];
};

/** What a command declares of its command line. */
export interface Form<O extends Options = Options, P extends Positionals = Positionals> {
  readonly name: string;
  readonly positionals?: P;
  readonly options: O;
  /** Headings of the help, each with its options; the others stand under `Options`. */
  readonly groups?: Readonly<Record<string, readonly (keyof O & string)[]>>;
  /** Command lines, each with what it does. */
  readonly examples?: readonly (readonly [line: string, meaning: string])[];
  /** What each exit code means, in the order of the codes; done and wrong usage where none is named. */
  readonly exits?: Readonly<Record<number, string>>;
  /** Whether a program with its arguments may follow `--`, or has to. */
  readonly program?: 'optional' | 'required';
}

/** A command with what it does. */
export interface Declaration<O extends Options, P extends Positionals> extends Form<O, P> {
  /** Called first, with the folder of `--out`, even where the rest of the command line makes no sense. */
  prepare?(out: string, around: Surroundings): Promise<void>;
  /** Returns the exit code. */
  run(given: Given<O, P>, around: Surroundings): Promise<number>;
}

/** The arguments of a command that are no options: `<before> <after>`. */
export function placesOf({ positionals = {} }: Form): string {
  const forms = { required: ['<', '>'], optional: ['[', ']'], several: ['<', '..>'] } as const;
  return Object.entries(positionals)
    .map(([place, { form }]) => forms[form].join(place))
    .join(' ');
}

/** How a command is called: `tck compare <before> <after> [options]`. */
export function usageOf(its: Form): string {
  const options = Object.keys(its.options).length === 0 ? '' : '[options]';
  const program = its.program === undefined ? '' : its.program === 'required' ? '-- <command>' : '[-- <command>]';
  return ['tck', its.name, placesOf(its), options, program].filter((part) => part !== '').join(' ');
}
