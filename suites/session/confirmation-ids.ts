import { limits } from '../../fixtures/contract/limits.ts';
import { body, type Completed, type KeyName, type Request } from '../exchange/exchange.ts';
import { type JsonRecord, startOf } from '../json.ts';
import { boundArguments } from '../model/world/ids.ts';
import { normalizedSlug } from '../model/world/scope.ts';
import type { Credential } from './call.ts';
import { argumentsOf, imagesIn, imagesOf } from './image-requests.ts';

const minuteMs = 60_000;

/** A confirmation ID that a response of this run issued. */
export interface KnownId {
  readonly id: string;
  /** Forms of the start of the ID in which a lenient server may find it in a request. */
  readonly forms: { readonly plain: string; readonly spelled: readonly string[] };
  readonly role: KeyName | null;
  readonly args: JsonRecord;
  /** Most images that the ID may stand for: the requested count or the count in the response. */
  readonly images: number;
  readonly asked: number;
  /** Milliseconds by the deployment's clock. */
  readonly issuedAtMs: number;
  /** Number of requests that presented the ID. */
  presented: number;
  /** Images already counted as spent for this ID. */
  counted: number;
  dispatched: boolean;
}

/** What a request for images presents. */
export interface Shown {
  /** `confirmation`: the ID may dispatch. `wrong`: the specification allows no dispatch. */
  readonly way: 'proposal' | 'confirmation' | 'wrong';
  readonly issued: KnownId | undefined;
  /** Whether the request is the first one to repeat the proposal exactly, so that nothing excuses a refusal. */
  readonly plain: boolean;
  /** Most images that the request may dispatch. */
  readonly worst: number;
}

/**
 * Returns the most images that a request may cost beyond those already counted. The result changes while the request is
 * under way, because another key may present the ID at the same time.
 */
export function costOf({ way, issued, worst }: Shown): number {
  return way === 'confirmation' && issued !== undefined ? Math.max(0, worst - issued.counted) : worst;
}

/** All confirmation IDs that responses of this run issued. */
export class ConfirmationIds {
  readonly #known = new Map<string, KnownId>();

  /** Records the ID that a response issues. An ID that is issued again may dispatch once more. */
  see(exchange: Completed, issuedAtMs: number): void {
    const { confirmation_id: id, count } = body(exchange);
    const args = argumentsOf(exchange.request);
    if (typeof id !== 'string' || id === '' || id === args.confirmation_id) return;
    const asked = imagesIn(args.count);
    const images = Math.max(asked, imagesOf(count) ?? 1, this.#known.get(id)?.images ?? 0);
    const forms = {
      plain: startOf(plainly(id), mostKept),
      spelled: isLong(id) ? spellings(startOf(id, mostKept)) : [],
    };
    const unspent = { presented: 0, counted: 0, dispatched: false };
    this.#known.set(id, { id, forms, role: exchange.sender.role, args, images, asked, issuedAtMs, ...unspent });
  }

  /** Returns what a request presents. Any other value in place of an ID must be refused, even a number or a list. */
  shown(request: Request, by: Credential, nowMs: number): Shown {
    const args = argumentsOf(request);
    const asked = imagesIn(args.count);
    const id = args.confirmation_id ?? '';
    const issued = typeof id === 'string' ? this.#known.get(id) : undefined;
    if (issued !== undefined) {
      const worst = Math.max(asked, issued.images);
      if (!mayDispatch(issued, args, by, nowMs)) return { way: 'wrong', issued, plain: false, worst };
      const plain = issued.presented === 0 && isAsProposed(issued, args, by, nowMs);
      return { way: 'confirmation', issued, plain, worst };
    }
    const near = this.#near(request, id);
    const way = near.length > 0 || id !== '' ? 'wrong' : 'proposal';
    const worst = Math.max(asked, ...near.map(({ images }) => images));
    return { way, issued, plain: false, worst };
  }

  /** Returns the IDs that a lenient server may find in a request: anywhere in its text, truncated or extended. */
  #near({ url, headers, body }: Request, id: unknown): KnownId[] {
    const text = [url, body, ...headers.flat()].join('\n');
    const part = typeof id === 'string' ? plainly(id) : '';
    return [...this.#known.values()].filter(({ forms: { plain, spelled } }) => {
      if (isLong(part) && (plain.startsWith(part) || (isLong(plain) && part.startsWith(plain)))) return true;
      return spelled.some((spelling) => text.includes(spelling));
    });
  }
}

/** A lenient lookup may ignore the case and the separators. */
const plainly = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Characters of an ID that are enough to find it. IDs can be long. */
const mostKept = 1000;

/** The ID as it is, in JSON, in a URL, and as the bytes of a header. */
const spellings = (id: string) => [
  ...[id, JSON.stringify(id).slice(1, -1), encodeURIComponent(id.toWellFormed())],
  Buffer.from(id).toString('latin1'),
];

/** Shorter texts may appear anywhere by coincidence. */
const isLong = (text: string) => text.length >= 8;

function mayDispatch(issued: KnownId, args: JsonRecord, by: Credential, nowMs: number): boolean {
  if (isElsewhere(issued, args, by) || !isWhole(args)) return false;
  if ((issued.role === 'otherAccount') !== (by.role === 'otherAccount')) return false;
  return !issued.dispatched && nowMs - issued.issuedAtMs < limits.confirmation.surelyDead * minuteMs;
}

/** Returns whether the request repeats the proposal exactly, with the same role, before the ID can expire. */
function isAsProposed(issued: KnownId, args: JsonRecord, by: Credential, nowMs: number): boolean {
  const { confirmation_id: _, ...request } = args;
  const names = new Set([...Object.keys(request), ...Object.keys(issued.args)]);
  const same = [...names].every((name) => JSON.stringify(request[name]) === JSON.stringify(issued.args[name]));
  const youngEnough = nowMs - issued.issuedAtMs < limits.confirmation.surelyAlive * minuteMs;
  return same && youngEnough && issued.role === (by.role ?? null);
}

/**
 * Returns whether the proposal and the request name different workspaces after normalization. A pinned key may ignore
 * both names.
 */
function isElsewhere(issued: KnownId, args: JsonRecord, by: Credential): boolean {
  const [proposed, presented] = [issued.args.workspace, args.workspace];
  if (issued.role === 'pinned' || by.role === 'pinned') return false;
  if (typeof proposed !== 'string' || typeof presented !== 'string') return false;
  return normalizedSlug(proposed) !== normalizedSlug(presented);
}

const isWhole = (args: JsonRecord) => boundArguments.every((name) => (args[name] ?? null) !== null);
