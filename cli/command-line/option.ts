import { secondsIn } from '../../suites/usage/duration.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';

/** One option: its help, and the function that reads its value. */
export interface Option<Value> {
  readonly kind: 'text' | 'number' | 'flag' | 'list';
  readonly describe: string;
  /** Default value shown in the help. */
  readonly initially?: string | number | boolean | undefined;
  readonly choices?: readonly string[];
  /** A second name of the option. */
  readonly alias?: string;
  readonly required?: boolean;
  /** Whether the value is optional. Without a value, the option is an empty text. */
  readonly valueOptional?: boolean;
  /** Whether a list takes all words up to the next option: `--key-env A B C`. */
  readonly greedy?: boolean;
  /** `given` is undefined without the option. Throws a UsageError that starts with the name of the option. */
  readonly read: (given: unknown, name: string) => Value;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

export function text(describe: string): Option<string | undefined>;
export function text(describe: string, initially: string): Option<string>;
export function text(describe: string, initially?: string): Option<string | undefined> {
  return { kind: 'text', describe, initially, read: (given) => (given === undefined ? initially : String(given)) };
}

/** A text option with an optional value: `--cors` alone means `alone`. */
export function textOr(describe: string, alone: string): Option<string | undefined> {
  const read = (given: unknown) => (given === undefined ? undefined : String(given) || alone);
  return { kind: 'text', describe, valueOptional: true, read };
}

/** A flag: `--<name>` sets it, `--no-<name>` clears it. */
export function flag(describe: string, initially = false): Option<boolean> {
  const shown = initially ? { initially } : {};
  return { kind: 'flag', describe, ...shown, read: (given) => (given === undefined ? initially : given === true) };
}

/** An option with a second name. */
export function alias<Value>(name: string, option: Option<Value>): Option<Value> {
  return { ...option, alias: name };
}

/** An option with a fixed set of values. */
export function choice<const Word extends string>(
  describe: string,
  choices: readonly Word[],
): Option<Word | undefined> {
  return {
    kind: 'text',
    describe,
    choices,
    read(given, name) {
      const word = choices.find((each) => each === given);
      if (word !== undefined || given === undefined) return word;
      const words = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
      throw new UsageError(`${name}: expected ${choices.length > 1 ? words : choices[0]}, got '${given}'`);
    },
  };
}

/** An option that can occur several times. */
export function list(describe: string): Option<readonly string[] | undefined> {
  return { kind: 'list', describe, read: (given) => (Array.isArray(given) ? given.map(String) : undefined) };
}

/** A list of words after one option: `--key-env A B C`. */
export function words(describe: string): Option<readonly string[] | undefined> {
  return {
    kind: 'list',
    describe,
    greedy: true,
    read(given, name) {
      if (given === undefined) return undefined;
      if (Array.isArray(given) && given.length > 0) return given.map(String);
      throw new UsageError(`${name}: expected at least one value`);
    },
  };
}

/** A duration such as `30s`, `10m`, `2h` or `7d`, in seconds. `initially` and `most` are durations too. */
export function duration(describe: string, initially: string, most: string): Option<number> {
  return {
    kind: 'text',
    describe,
    initially,
    read(given = initially, name = '') {
      const value = secondsIn(String(given));
      if (value >= 1 && value <= secondsIn(most)) return value;
      throw new UsageError(`${name}: expected a duration such as 30s, 10m or 2h, at most ${most}, got '${given}'`);
    },
  };
}

export function integer(describe: string, from: number, to: number): Option<number | undefined>;
export function integer(describe: string, from: number, to: number, initially: number): Option<number>;
export function integer(describe: string, from: number, to: number, initially?: number): Option<number | undefined> {
  return {
    kind: 'number',
    describe,
    initially,
    read(given, name) {
      if (given === undefined) return initially;
      const value = /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN;
      if (value >= from && value <= to) return value;
      throw new UsageError(`${name}: expected an integer from ${from} to ${to}, got '${given}'`);
    },
  };
}
