import type { Surroundings } from '../process/surroundings.ts';
import type { Option, Options } from './option.ts';

/** A positional argument. */
export interface Positional<Value> {
  readonly describe: string;
  readonly form: 'required' | 'optional' | 'several';
  /** Used only for type inference. */
  readonly value?: Value;
}

export type Positionals = Readonly<Record<string, Positional<unknown>>>;

export const required = (describe: string): Positional<string> => ({ describe, form: 'required' });
export const optional = (describe: string): Positional<string | undefined> => ({ describe, form: 'optional' });
export const several = (describe: string): Positional<readonly string[]> => ({ describe, form: 'several' });

type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** The parsed command line: a member for each option and argument, and the program after `--`. */
export type Given<O extends Options, P extends Positionals = Record<never, never>> = {
  [Name in keyof O as CamelCase<Name>]: O[Name] extends Option<infer Value> ? Value : never;
} & { [Name in keyof P]: P[Name] extends Positional<infer Value> ? Value : never } & {
  /** The program after `--` with its arguments, or an empty list. */
  readonly program: readonly string[];
};

/** The declaration of the command line of a command. */
export interface Form<O extends Options = Options, P extends Positionals = Positionals> {
  readonly name: string;
  readonly positionals?: P;
  readonly options: O;
  /** Headings of the help with their options. Other options are below `Options`. */
  readonly groups?: Readonly<Record<string, readonly (keyof O & string)[]>>;
  /** Example command lines, each with its effect. */
  readonly examples?: readonly (readonly [line: string, meaning: string])[];
  /** The meaning of each exit code. Default: 0 is done, 2 is wrong usage. */
  readonly exits?: Readonly<Record<number, string>>;
  /** Whether a program can or must follow `--`. Default: no program. */
  readonly program?: 'optional' | 'required';
}

/** The declaration of a command with its implementation. */
export interface Declaration<O extends Options, P extends Positionals> extends Form<O, P> {
  /** Renames an earlier report in the folder of `--out` first, even if the rest of the command line is invalid. */
  readonly setsAside?: true;
  /** Returns the exit code. */
  run(given: Given<O, P>, around: Surroundings): Promise<number>;
}

/** The positional arguments of a command: `<before> <after>`. */
export function placesOf({ positionals = {} }: Form): string {
  const forms = { required: ['<', '>'], optional: ['[', ']'], several: ['<', '..>'] } as const;
  return Object.entries(positionals)
    .map(([place, { form }]) => forms[form].join(place))
    .join(' ');
}

/** The usage line of a command: `tck compare <before> <after> [options]`. */
export function usageOf(its: Form): string {
  const options = Object.keys(its.options).length === 0 ? '' : '[options]';
  const program = its.program === undefined ? '' : its.program === 'required' ? '-- <command>' : '[-- <command>]';
  return ['tck', its.name, placesOf(its), options, program].filter((part) => part !== '').join(' ');
}
