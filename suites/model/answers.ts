import { type Completed, header } from '../history/exchange.ts';
import { member } from '../json.ts';

/** A place in a response: a header, or the path of a member of the body. */
export type Place = { readonly header: string } | { readonly member: readonly string[] };

/**
 * What a place may hold: one of some texts, where undefined means that it may be absent; a non-empty text; a whole
 * number in a header; or a JSON type.
 */
export type Want =
  | { readonly oneOf: readonly (string | undefined)[] }
  | { readonly least: number }
  | { readonly type: 'integer' | 'number' | 'string' | 'boolean' }
  | 'text';

/** A pattern of allowed responses, as data. */
export interface Answer {
  readonly at: Place;
  readonly want: Want;
}

export type Answers = readonly Answer[];

/** How a response differs from what is allowed. */
export interface Mismatch extends Answer {
  /** The value at the place; undefined if it is absent. */
  readonly got: unknown;
}

/** Returns the first difference of a response from the allowed ones. */
export function check(answers: Answers, exchange: Completed): Mismatch | undefined {
  for (const { at, want } of answers) {
    const got = valueAt(at, exchange);
    if (!fits(want, got)) return { at, want, got };
  }
  return undefined;
}

function valueAt(at: Place, exchange: Completed): unknown {
  return 'header' in at ? header(exchange, at.header) : member(exchange.response.json, ...at.member);
}

function fits(want: Want, got: unknown): boolean {
  if (want === 'text') return typeof got === 'string' && got.trim() !== '';
  if ('oneOf' in want) return want.oneOf.some((value) => value === got);
  if ('least' in want) return typeof got === 'string' && /^\d+$/.test(got) && Number(got) >= want.least;
  return want.type === 'integer' ? Number.isInteger(got) : typeof got === want.type;
}
