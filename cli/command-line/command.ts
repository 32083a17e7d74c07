import type { Surroundings } from '../process/surroundings.ts';
import type { Declaration, Form, Given, Positionals } from './declaration.ts';
import type { Options } from './option.ts';
import { parse, textOf } from './parse.ts';

/** A command of `tck`. */
export interface Command {
  /** The declaration of its command line. */
  readonly form: Form;
  /** Returns the exit code. Rejects with a UsageError for an invalid command line. */
  run(args: readonly string[], around: Surroundings): Promise<number>;
  /** The help below a summary, wrapped at `columns`. Ends with a line feed. */
  help(summary: string, columns: number): Promise<string>;
}

/** Creates a command from its declaration. */
export function command<O extends Options, P extends Positionals = Record<never, never>>(
  its: Declaration<O, P>,
): Command {
  return {
    form: its,
    async run(args, around) {
      const out = its.prepare && textOf(its, args, 'out');
      if (out !== undefined) await its.prepare?.(out, around);
      return its.run(parse(its, args) as Given<O, P>, around); // the declaration is its type
    },
    async help(summary, columns) {
      const { helpOf } = await import('./help.ts');
      return helpOf(its, summary, columns);
    },
  };
}
