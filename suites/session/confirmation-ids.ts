import { limits } from '../../fixtures/contract/limits.ts';
import { body, type Completed, type KeyName, type Request } from '../exchange/exchange.ts';
import type { JsonRecord } from '../json.ts';
import { normalizedSlug } from '../model/world/scope.ts';
import { argumentsOf, imagesIn, imagesOf } from './image-requests.ts';
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
type PresentationKind =
  /** Presents no ID. */
  | 'proposal'
  /** The ID may dispatch. */
  | 'correct'
  /** The ID may dispatch, but its images already count as spent. */
  | 'counted'
  /** The specification allows no dispatch. */
  | 'wrong';

/** What a request for images presents. */
export interface Shown {
  readonly way: PresentationKind;
  readonly issued: KnownId | undefined;
  /** Whether the request repeats the proposal exactly, so that nothing excuses a refusal. */
  readonly plain: boolean;
  /** Most images that the request may cost. */
  readonly worst: number;
}

/** All confirmation IDs that responses of this run issued. */
export class ConfirmationIds {
  readonly #known = new Map<string, KnownId>();

  /** Records the ID that a response issues. An ID that is issued again may dispatch once more. */
  see(exchange: Completed, issuedAt: Time): void {
    const { confirmation_id: id, count } = body(exchange);
    const args = argumentsOf(exchange.request);
    if (typeof id !== 'string' || id === '' || id === args.confirmation_id) return;
    const asked = imagesIn(args.count);
    const before = this.#known.get(id);
    this.#known.set(id, {
      id,
      role: exchange.sender.role,
      args,
      images: Math.max(asked, imagesOf(count) ?? 1, before?.images ?? 0),
      asked,
      issuedAt,
      open: (before?.open ?? 0) + 1,
      counted: 0,
      dispatched: false,
    });
  }

  /** Returns what a request presents. Any other value in place of an ID must be refused, even a number or a list. */
  shown(request: Request, by: Credential, time: Time): Shown {
    const args = argumentsOf(request);
    const asked = imagesIn(args.count);
    const id = args.confirmation_id ?? '';
    const issued = typeof id === 'string' ? this.#known.get(id) : undefined;
    if (issued !== undefined) {
      const way = presentationOf(issued, args, by, time);
      const plain = way === 'correct' && isPlainConfirmation(issued, args, by, time);
      return { way, issued, plain, worst: Math.max(asked, issued.images) };
    }
    const near = [...this.#within(request), ...(typeof id === 'string' ? this.#resembling(id) : [])];
    const way = near.length > 0 || id !== '' ? 'wrong' : 'proposal';
    return { way, issued, plain: false, worst: Math.max(asked, ...near.map(({ images }) => images)) };
  }

  #within({ url, headers, body }: Request): KnownId[] {
    const text = [url, body ?? '', ...headers.flat()].join('\n');
    return [...this.#known.values()].filter(
      ({ id }) => isLong(id) && spellings(id).some((spelling) => text.includes(spelling)),
    );
  }

  /** Returns the IDs that a lenient lookup may match: truncated, extended, in another case or with other separators. */
  #resembling(id: string): KnownId[] {
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

export function presentationOf(
  issued: KnownId,
  args: JsonRecord,
  by: Credential,
  time: Time,
): Exclude<PresentationKind, 'proposal'> {
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
function isPlainConfirmation(issued: KnownId, args: JsonRecord, by: Credential, time: Time): boolean {
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
