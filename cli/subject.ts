import { UsageError } from '../suites/usage/usage-error.ts';
import { text } from './command-line/option.ts';

/** Options that name the tested software. */
export const subjectOptions = {
  'subject-digest': text('Digest of the tested image or archive: sha256: and 64 hexadecimal digits'),
  commit: text('Full hash of the tested Git commit'),
};

/** Whether a text is the full hash of a commit, SHA-1 or SHA-256. */
export function isCommit(value: string): boolean {
  return /^([\da-f]{40}|[\da-f]{64})$/.test(value);
}

export function commitOf(given: string | undefined): string | undefined {
  if (given === undefined || isCommit(given)) return given;
  throw new UsageError(`--commit: expected 40 or 64 hexadecimal digits in lower case, got '${given}'`);
}

/** The hexadecimal digits of a digest. */
export function digestOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, digits] = /^sha256:([\da-f]{64})$/.exec(given) ?? [];
  if (digits !== undefined) return digits;
  throw new UsageError(`--subject-digest: expected sha256: and 64 hexadecimal digits in lower case, got '${given}'`);
}
