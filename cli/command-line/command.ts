import type { Surroundings } from '../process/surroundings.ts';
import type { Declaration, Form, Given, Positionals } from './declaration.ts';
import type { Options } from './option.ts';

/** A command of `tck`. */
export interface Command {
  /** The declaration of its command line. */
  readonly form: Form;
  /** Returns the exit code. Rejects with a UsageError for an invalid command line. */
  run(args: readonly string[], around: Surroundings): Promise<number>;
}

/** Creates a command from its declaration. */
export function command<O extends Options, P extends Positionals = Record<never, never>>(
  its: Declaration<O, P>,
): Command {
  return {
    form: its,
    async run(args, around) {
      const { parse } = await import('./parse.ts');
      const { out, read } = parse(its, args);
      if (out !== undefined && its.setsAside) {
        const { setAsideReport } = await import('../../reports/folder.ts');
        await setAsideReport(out, around.cwd);
      }
      return its.run(read() as Given<O, P>, around); // the declaration is its type
    },
  };
}
