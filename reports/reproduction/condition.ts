/**
 * Condition on a response that a shell script can check. `part` is `status`, `body`, `headers`, `header NAME` or a path
 * in the JSON body, for example `.items[0].id`. `.items[]` is the number of items. Values of the body are JSON, and
 * patterns are extended regular expressions. An absent part is an empty text.
 */
export type Condition =
  | { readonly kind: 'is'; readonly part: string; readonly values: readonly string[] }
  | { readonly kind: 'like'; readonly part: string; readonly pattern: string }
  | { readonly kind: 'lacks'; readonly part: string; readonly text: string }
  /** Each date in the array is the day after the previous date. */
  | { readonly kind: 'consecutive'; readonly part: string }
  /** The object has no other members than `names`. */
  | { readonly kind: 'only'; readonly part: string; readonly names: readonly string[] }
  /** The member of every array item matches the pattern. An empty `member` is the item itself. */
  | { readonly kind: 'each'; readonly part: string; readonly member: string; readonly pattern: string }
  /** At least one array item has a member that matches its pattern in `members`. */
  | { readonly kind: 'some'; readonly part: string; readonly members: Readonly<Record<string, string>> }
  /** All array items differ in `members`. With `least`, at least this many items differ. */
  | { readonly kind: 'distinct'; readonly part: string; readonly members: readonly string[]; readonly least?: number }
  /** Two parts of the response are equal (`agree`), or `part` is a number of at least `other` (`least`). */
  | { readonly kind: 'agree' | 'least'; readonly part: string; readonly other: string }
  /** The part is identical to the part of the first response of the finding, or differs from it. */
  | { readonly kind: 'same' | 'different'; readonly part: string }
  /** At least one of the conditions holds. */
  | { readonly kind: 'either'; readonly conditions: readonly Condition[]; readonly part: string }
  /** The part matches in exactly one of several simultaneous responses. */
  | { readonly kind: 'once'; readonly part: string; readonly pattern: string }
  /** The request succeeds if the first response lists the value. */
  | { readonly kind: 'listed-works'; readonly part: string; readonly value: string };

/** Patterns for JSON values. */
export const json = {
  string: '^"',
  text: '^"..*"$',
  boolean: '^(true|false)$',
  number: '^-?[0-9]',
  integer: '^-?[0-9][0-9]*$',
  array: String.raw`^\[$`,
  object: '^[{]$',
  null: '^null$',
  true: '^true$',
  date: '^"[0-9]{4}-[0-9]{2}-[0-9]{2}"$',
  instant: '^"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+]00:?00)"$',
  some: '^[1-9]',
  any: '.',
} as const;

/** Possible JSON texts of a value: with non-ASCII characters unescaped and escaped. */
export function spellings(value: unknown): string[] {
  const plain = JSON.stringify(value);
  const escaped = plain.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [...new Set([plain, escaped])];
}

export const is = (part: string, ...values: string[]): Condition => ({ kind: 'is', part, values });
export const like = (part: string, pattern: string): Condition => ({ kind: 'like', part, pattern });
export const agree = (part: string, other: string): Condition => ({ kind: 'agree', part, other });
export const same = (part: string): Condition => ({ kind: 'same', part });
export const different = (part: string): Condition => ({ kind: 'different', part });
export const each = (part: string, member: string, pattern: string): Condition => ({
  kind: 'each',
  part,
  member,
  pattern,
});

/** The tool returned a result or a refusal. */
export const outcome = like('status', '^2[0-9][0-9]$');
export const succeeds: readonly Condition[] = [outcome, is('.ok', 'true')];
/** Neither `status` nor `run_id` reports a dispatch. */
export const runsNothing: readonly Condition[] = [
  { kind: 'lacks', part: '.status', text: 'dispatched' },
  like('.run_id', '^(null)?$'),
];
