import { isDeepStrictEqual } from 'node:util';
import { refusals } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import {
  ageAt,
  body,
  type Completed,
  type Ended,
  isRefusal,
  isSuccess,
  type KeyName,
} from '../../exchange/exchange.ts';
import type { JsonRecord } from '../../json.ts';
import { type Ids, requestsProposal } from './ids.ts';
import { baseOf } from './scope.ts';
import { isValid } from './violations.ts';

/** Texts that no rule of the specification depends on, if their length is accepted. */
const freeTexts: readonly string[] = ['title', 'brief', 'query'];

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

/** Successful requests: the controls of requests with one error. */
export class Successes {
  /** By role and tool, then by JSON text, so that equal requests are stored once. */
  readonly #roles = new Map<KeyName | null, Map<string | null, Map<string, JsonRecord>>>();
  readonly #bases = new Set<string>();

  add(exchange: Completed): void {
    const { request, sender } = exchange;
    if (!isSuccess(exchange) || request.tool === null || request.args === null || sender.kind !== 'key') return;
    if (this.#bases.size < mostRemembered) this.#bases.add(baseOf(exchange));
    const tools = this.#roles.get(sender.role) ?? new Map<string, Map<string, JsonRecord>>();
    this.#roles.set(sender.role, tools);
    const known = tools.get(request.tool) ?? new Map<string, JsonRecord>();
    tools.set(request.tool, known);
    if (known.size < mostRemembered) known.set(JSON.stringify(request.args), request.args);
  }

  /** Returns whether an equal request succeeded, apart from the arguments that may differ. */
  has({ role, tool, args, except = [], texts = 'any' }: Wanted): boolean {
    const may = texts === 'same' ? except : [...freeTexts, ...except];
    const known = this.#roles.get(role)?.get(tool)?.values() ?? [];
    return [...known].some((one) => same(one, args, may));
  }

  /** Whether any request succeeded. */
  get any(): boolean {
    return this.#roles.size > 0;
  }

  ofRole(role: KeyName | null): boolean {
    return this.#roles.has(role);
  }

  ofTool(role: KeyName | null, tool: string | null): boolean {
    return this.#roles.get(role)?.has(tool) === true;
  }

  at(base: string): boolean {
    return this.#bases.has(base);
  }
}

function same(one: JsonRecord, other: JsonRecord, except: readonly string[]): boolean {
  // An empty query searches for no words.
  if (!except.includes('query') && (one.query === '') !== (other.query === '')) return false;
  const isAlike = (name: string) =>
    one[name] === other[name] || except.includes(name) || isDeepStrictEqual(one[name], other[name]);
  return Object.keys(one).every(isAlike) && Object.keys(other).every(isAlike);
}

const shown: readonly unknown[] = refusals.map(({ code }) => code);
const withoutExcuse: readonly unknown[] = refusals.filter(({ excuses }) => !excuses).map(({ code }) => code);

/**
 * Returns the code of a refusal by the service's own rule (rule 5). The specification does not list the code, or lists
 * it as an excuse.
 */
export function declinedWith(exchange: Ended): string | undefined {
  const { code } = body(exchange);
  return isRefusal(exchange) && typeof code === 'string' && !withoutExcuse.includes(code) ? code : undefined;
}

/** Returns whether a refusal has a code that the specification lists. */
export function hasShownCode(exchange: Ended): boolean {
  return isRefusal(exchange) && shown.includes(body(exchange).code);
}

/** Returns the code of a refusal for missing credits. The specification shows no code for this refusal. */
export function declinedForCredits(exchange: Ended): string | undefined {
  const code = declinedWith(exchange);
  return /credit|balance|fund|quota|payment/i.test(`${code} ${body(exchange).message}`) ? code : undefined;
}

/**
 * Whether the service may decline a valid request by its own rule: a day, a title or a format of content, or words to
 * search for. An empty query of the library has none.
 */
export const isSelective = ({ request: { tool, args } }: Completed): boolean =>
  tool === 'content.create_request' ||
  (typeof args?.query === 'string' && (tool !== 'library.search' || args.query !== ''));

/** Longest time that a proposal may be open, or keep its board busy, in milliseconds. */
const openMs = limits.confirmation.surelyDead * 60_000;

/** Words that a service has no reason to decline. */
const isPlain = (words: unknown) => words === undefined || (typeof words === 'string' && /^[ -~]{3,80}$/.test(words));

/**
 * Codes with which the service declined valid requests that it accepted at another time. It has its own rules, for
 * example on open proposals and full days. A value that it never accepts is no such rule: it may refuse this value and
 * a missing argument with the same wrong code.
 */
export class HouseRules {
  readonly #declined = new Map<string, { code: string; wanted: Wanted }>();

  add(exchange: Completed): void {
    const { request, sender } = exchange;
    const { args = null, tool } = request;
    const { title, query } = args ?? {};
    const code = declinedWith(exchange);
    if (args === null || tool === null || ![title, query].every(isPlain) || !isValid(exchange)) return;
    const mayDecline = sender.kind === 'key' && (isSelective(exchange) || requestsProposal(exchange));
    if (code === undefined || !mayDecline || this.#declined.size >= mostRemembered) return;
    const rest = Object.entries(args).filter(([name]) => !freeTexts.includes(name));
    const { role } = sender;
    this.#declined.set(JSON.stringify([code, role, tool, rest]), { code, wanted: { role, tool, args } });
  }

  /** Returns whether a request was declined with the code of such a rule. */
  declined(exchange: Completed, successes: Successes): boolean {
    const declined = declinedWith(exchange);
    if (declined === undefined) return false;
    return [...this.#declined.values()].some(({ code, wanted }) => code === declined && successes.has(wanted));
  }
}

/** Returns whether earlier proposals may explain a declined proposal: too many open ones, or a busy board. */
export function mayBeTooMany(exchange: Completed, ids: Ids): boolean {
  const isOpen = (proposal: Completed) => ageAt(proposal, exchange) < openMs;
  return declinedWith(exchange) !== undefined && [...ids.all()].some(({ proposal }) => isOpen(proposal));
}
