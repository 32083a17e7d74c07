import { shorten } from '../json.ts';
import { serviceRefusals } from '../topics/declared/row-witnesses.ts';
import { didYouMean, UsageError } from '../usage/usage-error.ts';

/** A requirement on a server or on a client. */
interface Selectable {
  readonly id: string;
  readonly topic: string;
}

/**
 * Returns the requirements that match a pattern of `only` (default: all) and no pattern of `skip`. A pattern is a topic
 * or a glob on IDs. `option` is the source of `only`, for error messages. Throws a UsageError if a pattern matches
 * nothing, or if no requirement remains.
 */
export function selectRequirements<One extends Selectable>(
  requirements: readonly One[],
  only: readonly string[] | undefined,
  skip: readonly string[] | undefined,
  option = '--only',
): One[] {
  const wanted = matching(requirements, only, option);
  const unwanted = matching(requirements, skip, '--skip');
  const left = requirements.filter(({ id }) => (wanted?.has(id) ?? true) && !(unwanted?.has(id) ?? false));
  if (left.length === 0) throw new UsageError('--skip: leaves no requirement to test');
  return left;
}

/**
 * Returns the IDs that `--require` demands. The pattern `all` stands for the selected requirements, without those that
 * only a refusal by the service's own rule can test. Throws a UsageError if a pattern matches nothing.
 */
export function requiredIds(
  requirements: readonly Selectable[],
  patterns: readonly string[] | undefined,
  selected?: ReadonlySet<string>,
): Set<string> {
  const certain = requirements.filter(({ id }) => !serviceRefusals.has(id) && (selected?.has(id) ?? true));
  if (patterns?.length === 1 && patterns[0] === 'all') return new Set(certain.map(({ id }) => id));
  return matching(requirements, patterns, '--require') ?? new Set();
}

/** Splits the values of a repeatable option at commas. Throws a UsageError for an empty pattern. */
export function splitPatterns(values: readonly string[] | undefined, option: string): string[] | undefined {
  const patterns = values?.flatMap((value) => value.split(',')).map((pattern) => pattern.trim().replace(/\*+/g, '*'));
  if (patterns?.includes(''))
    throw new UsageError(`${option}: expected patterns with commas between them, got an empty one`);
  return patterns && [...new Set(patterns)];
}

function matching(
  requirements: readonly Selectable[],
  patterns: readonly string[] | undefined,
  option: string,
): Set<string> | undefined {
  if (patterns === undefined) return undefined;
  const selected = new Set<string>();
  for (const pattern of patterns) {
    const matches = requirements.filter(({ id, topic }) => topic === pattern || matchesGlob(pattern, id));
    if (matches.length === 0)
      throw new UsageError(
        `${option}: '${shorten(pattern, 80)}' selects no requirement${suggestion(pattern, requirements)}`,
      );
    for (const { id } of matches) selected.add(id);
  }
  return selected;
}

function suggestion(pattern: string, requirements: readonly Selectable[]): string {
  const known = new Set(requirements.flatMap(({ id, topic }) => [topic, `${topic}.*`, id]));
  return didYouMean(pattern, known) || '; tck list shows them all';
}

/**
 * Whether a text matches a glob: `*` stands for any characters, `?` for one. Takes the first place for each part
 * between two stars, so that the time is at most proportional to the product of the two lengths.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop();
  const isAt = (part: string, at: number) =>
    at >= 0 &&
    at + part.length <= text.length &&
    [...part].every((sign, index) => sign === '?' || sign === text[at + index]);
  if (last === undefined) return first.length === text.length && isAt(first, 0);
  if (!isAt(first, 0)) return false;
  let at = first.length;
  for (const part of others) {
    while (at <= text.length && !isAt(part, at)) at += 1;
    at += part.length;
  }
  return at <= text.length - last.length && isAt(last, text.length - last.length);
}
