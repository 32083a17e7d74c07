import type { Options as YargsOptions } from 'yargs';
import { UsageError } from '../../suites/usage/usage-error.ts';

/** One option: its declaration for yargs, and the function that reads its value. */
export interface Option<Value> extends Readonly<YargsOptions> {
  readonly describe: string;
  /** `given` is the default, or undefined, without the option. Throws a UsageError without the name of the option. */
  readonly read: (given: unknown) => Value;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

const oneText = { string: true, nargs: 1 } as const;
const asText = (given: unknown) => (given === undefined ? undefined : String(given));

export function text(describe: string): Option<string | undefined>;
export function text(describe: string, initially: string): Option<string>;
export function text(describe: string, initially?: string): Option<string | undefined> {
  return { ...oneText, describe, default: initially, read: asText };
}

/** A text option with an optional value: `--cors` alone means `alone`. */
export function textOr(describe: string, alone: string): Option<string | undefined> {
  return { string: true, describe, read: (given) => (given === '' ? alone : asText(given)) };
}

/** A flag: `--<name>` sets it, `--no-<name>` clears it. */
export function flag(describe: string, initially = false): Option<boolean> {
  // Without the default, the help of most flags does not end with `[default: false]`.
  return { boolean: true, describe, ...(initially ? { default: true } : {}), read: (given) => given === true };
}

/** An option with a fixed set of values. */
export function choice<const Word extends string>(
  describe: string,
  choices: readonly Word[],
): Option<Word | undefined> {
  return { ...oneText, describe, choices, read: (given) => choices.find((word) => word === given) };
}

/** An option that can occur several times. */
export function list(describe: string): Option<readonly string[] | undefined> {
  return { ...oneText, array: true, describe, read: (given) => (Array.isArray(given) ? given.map(String) : undefined) };
}

/** A list of words after one option: `--key-env A B C`. */
export function words(describe: string): Option<readonly string[] | undefined> {
  return {
    string: true,
    array: true,
    describe,
    read(given) {
      if (!Array.isArray(given)) return undefined;
      if (given.length === 0) throw new UsageError('expected at least one value');
      return given.map(String);
    },
  };
}

export function integer(describe: string, from: number, to: number): Option<number | undefined>;
export function integer(describe: string, from: number, to: number, initially: number): Option<number>;
export function integer(describe: string, from: number, to: number, initially?: number): Option<number | undefined> {
  return {
    ...oneText,
    // As a text and a number, yargs keeps the text, and the help says number.
    number: true,
    describe,
    default: initially,
    read(given) {
      if (given === undefined) return undefined;
      const value = /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN;
      if (value >= from && value <= to) return value;
      throw new UsageError(`expected an integer from ${from} to ${to}, got '${given}'`);
    },
  };
}
