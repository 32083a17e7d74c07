import { limits } from '../../fixtures/contract/limits.ts';
import type { KeyName, Request } from '../exchange/exchange.ts';
import type { JsonRecord } from '../json.ts';
import { normalizedSlug } from '../model/world/scope.ts';
import type { Credential } from './sent-exchange.ts';

const minuteMs = 60_000;

/** A time in milliseconds: on the deployment's clock, and as the total that the run let pass on purpose. */
export interface Time {
  nowMs: number;
  passedMs: number;
}

/** A confirmation ID that a response of this run issued. */
export interface KnownId {
  id: string;
  role: KeyName | null;
  args: JsonRecord;
  /** Most images that the ID may stand for: the requested count or the count in the response. */
  images: number;
  asked: number;
  issuedAt: Time;
  /** How often the ID was issued and not yet presented. It may dispatch that often. */
  open: number;
  /** Images already counted as spent for this ID. */
  counted: number;
  dispatched: boolean;
}

/** How a request presents an ID, which decides whether the ID may dispatch. */
export type PresentationKind =
  /** The ID may dispatch. */
  | 'correct'
  /** The ID may dispatch, but its images already count as spent. */
  | 'counted'
  /** The specification allows no dispatch. */
  | 'wrong';

/** All confirmation IDs that responses of this run issued. */
export class ConfirmationIds {
  readonly #known = new Map<string, KnownId>();

  /** Records an issued ID. An ID that is issued again may dispatch once more. */
  issued(fresh: Omit<KnownId, 'open' | 'counted' | 'dispatched'>): void {
    const before = this.#known.get(fresh.id);
    this.#known.set(fresh.id, {
      ...fresh,
      images: Math.max(fresh.images, before?.images ?? 0),
      open: (before?.open ?? 0) + 1,
      counted: 0,
      dispatched: false,
    });
  }

  get(id: unknown): KnownId | undefined {
    return typeof id === 'string' ? this.#known.get(id) : undefined;
  }

  within({ url, headers, body }: Request): KnownId[] {
    const text = [url, body ?? '', ...headers.flat()].join('\n');
    return [...this.#known.values()].filter(
      ({ id }) => isLong(id) && spellings(id).some((spelling) => text.includes(spelling)),
    );
  }

  /** Returns the IDs that a lenient lookup may match: truncated, extended, in another case or with other separators. */
  resembling(id: string): KnownId[] {
    const plain = plainly(id);
    if (!isLong(plain)) return [];
    return [...this.#known.values()].filter(
      (other) => plainly(other.id).startsWith(plain) || (isLong(other.id) && plain.startsWith(plainly(other.id))),
    );
  }
}

/** Shorter texts may appear anywhere by coincidence. */
const isLong = (id: string) => id.length >= 8;

const plainly = (id: string) => id.toLowerCase().replace(/[^a-z0-9]/g, '');

const spellings = (id: string) => [id, JSON.stringify(id).slice(1, -1), encodeURIComponent(id.toWellFormed())];

export function presentationOf(issued: KnownId, args: JsonRecord, by: Credential, time: Time): PresentationKind {
  if (isElsewhere(issued, args, by) || !isWhole(args)) return 'wrong';
  if ((issued.role === 'otherAccount') !== (by.role === 'otherAccount')) return 'wrong';
  if (isExpired(issued, time)) return 'wrong';
  if (issued.open > 0) return 'correct';
  return issued.dispatched ? 'wrong' : 'counted';
}

/** A deployment's clock may stand still except for advances. The requests of a story take up to a minute of the age. */
function isExpired({ issuedAt }: KnownId, { nowMs, passedMs }: Time): boolean {
  const deadMs = limits.confirmation.surelyDead * minuteMs;
  return nowMs - issuedAt.nowMs >= deadMs && passedMs - issuedAt.passedMs > deadMs - minuteMs;
}

/**
 * Returns whether the request repeats the proposal exactly, with the same role, before the ID can expire. Nothing
 * excuses a refusal of this request.
 */
export function isPlainConfirmation(issued: KnownId, args: JsonRecord, by: Credential, time: Time): boolean {
  const { confirmation_id: _, ...request } = args;
  const names = new Set([...Object.keys(request), ...Object.keys(issued.args)]);
  const same = [...names].every((name) => JSON.stringify(request[name]) === JSON.stringify(issued.args[name]));
  const youngEnough = time.nowMs - issued.issuedAt.nowMs < limits.confirmation.surelyAlive * minuteMs;
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

function isWhole({ board, brief, count, shape }: JsonRecord): boolean {
  return [board, brief, count, shape].every((value) => value !== undefined && value !== null);
}
