import { isDeepStrictEqual } from 'node:util';
import { type Completed, isSuccess, type KeyName } from '../../exchange/exchange.ts';
import type { JsonRecord } from '../../json.ts';
import { baseOf } from './scope.ts';

/** Texts that no rule of the specification depends on, if their length is accepted. */
export const freeTexts: readonly string[] = ['title', 'brief', 'query'];

/** Most requests to remember per role and tool. */
const mostRemembered = 256;

/** Properties of a request that decide whether its success predicts the success of another. */
export interface Wanted {
  readonly role: KeyName | null;
  readonly tool: string;
  readonly args: JsonRecord;
  /** Arguments that may differ. */
  readonly except?: readonly string[];
  /** Whether titles, briefs and queries may differ: `any`, the default. They may not: `same`. */
  readonly texts?: 'any' | 'same';
}

/** Successful requests: the twins of requests with one error. */
export class Successes {
  /** By role and tool, then by JSON text, so that equal requests are stored once. */
  readonly #known = new Map<string, Map<string, JsonRecord>>();
  readonly #roles = new Set<KeyName | null>();
  readonly #bases = new Set<string>();

  add(exchange: Completed): void {
    const { request, sender } = exchange;
    if (!isSuccess(exchange) || request.tool === null || request.args === null || sender.kind !== 'key') return;
    this.#roles.add(sender.role);
    if (this.#bases.size < mostRemembered) this.#bases.add(baseOf(exchange));
    const key = keyOf(sender.role, request.tool);
    const known = this.#known.get(key) ?? new Map<string, JsonRecord>();
    this.#known.set(key, known);
    if (known.size < mostRemembered) known.set(JSON.stringify(request.args), request.args);
  }

  /** Returns whether an equal request succeeded, apart from the arguments that may differ. */
  has({ role, tool, args, except = [], texts = 'any' }: Wanted): boolean {
    const may = texts === 'same' ? except : [...freeTexts, ...except];
    for (const known of this.#known.get(keyOf(role, tool))?.values() ?? []) if (same(known, args, may)) return true;
    return false;
  }

  /** Whether any request succeeded. */
  get any(): boolean {
    return this.#roles.size > 0;
  }

  ofRole(role: KeyName | null): boolean {
    return this.#roles.has(role);
  }

  ofTool(role: KeyName | null, tool: string | null): boolean {
    return this.#known.has(keyOf(role, tool ?? ''));
  }

  at(base: string): boolean {
    return this.#bases.has(base);
  }
}

const keyOf = (role: KeyName | null, tool: string) => `${role} ${tool}`;

function same(one: JsonRecord, other: JsonRecord, except: readonly string[]): boolean {
  // An empty query searches for no words.
  if (!except.includes('query') && (one.query === '') !== (other.query === '')) return false;
  const isAlike = (name: string) =>
    one[name] === other[name] || except.includes(name) || isDeepStrictEqual(one[name], other[name]);
  return Object.keys(one).every(isAlike) && Object.keys(other).every(isAlike);
}
