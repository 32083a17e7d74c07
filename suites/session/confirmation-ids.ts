import { limits } from '../../fixtures/contract/limits.ts';
import type { Credential, SentRequest } from '../exchange.ts';
import type { JsonRecord } from '../json.ts';

const minuteMs = 60_000;

/** A moment, in milliseconds: by the time of the deployment, and how much time the run has let pass on purpose. */
export interface Time {
  nowMs: number;
  passedMs: number;
}

/** A confirmation id, as the responses of this run issued it. */
export interface IssuedId {
  id: string;
  credential: Credential;
  /** The arguments of the proposal. */
  args: JsonRecord;
  /** The most images that it may stand for: of what was asked for and what the response says. */
  images: number;
  /** Images that were asked for. */
  asked: number;
  issuedAt: Time;
  /** How often it was issued and not presented since: it may run that often. */
  open: number;
  /** Images that count as spent for it. */
  counted: number;
  /** A response said that it runs. */
  dispatched: boolean;
}

/** How an id is presented, as far as that decides whether it may run. */
export type Presentation =
  /** It may well run. */
  | 'correct'
  /** It may run, but counts already. */
  | 'counted'
  /** By the specification nothing may run. */
  | 'wrong';

/** Every confirmation id that a response of this run issued. */
export class ConfirmationIds {
  readonly #known = new Map<string, IssuedId>();

  /** Notes an id that a response issued; issued once more, it may run once more. */
  issued(fresh: Omit<IssuedId, 'open' | 'counted' | 'dispatched'>): void {
    const before = this.#known.get(fresh.id);
    this.#known.set(fresh.id, {
      ...fresh,
      images: Math.max(fresh.images, before?.images ?? 0),
      open: (before?.open ?? 0) + 1,
      counted: 0,
      dispatched: false,
    });
  }

  get(id: unknown): IssuedId | undefined {
    return typeof id === 'string' ? this.#known.get(id) : undefined;
  }

  /** Ids that stand anywhere in a request. */
  within({ url, headers, body }: SentRequest): IssuedId[] {
    const text = [url, body ?? '', ...headers.flat()].join('\n');
    return [...this.#known.values()].filter(
      ({ id }) => isLong(id) && spellings(id).some((each) => text.includes(each)),
    );
  }

  /** Ids that somebody may take for this one: cut, continued, in other case or with other signs in between. */
  resembling(id: string): IssuedId[] {
    const plain = plainly(id);
    if (!isLong(plain)) return [];
    return [...this.#known.values()].filter(
      (each) => plainly(each.id).startsWith(plain) || (isLong(each.id) && plain.startsWith(plainly(each.id))),
    );
  }
}

/** What is shorter may stand anywhere by chance. */
const isLong = (id: string) => id.length >= 8;

const plainly = (id: string) => id.toLowerCase().replace(/[^a-z0-9]/g, '');

const spellings = (id: string) => [id, JSON.stringify(id).slice(1, -1), encodeURIComponent(id.toWellFormed())];

/** How a request presents an id, at a moment. */
export function presentationOf(issued: IssuedId, args: JsonRecord, by: Credential, time: Time): Presentation {
  if (isElsewhere(issued, args, by) || !isWhole(args)) return 'wrong';
  if ((issued.credential.role === 'otherAccount') !== (by.role === 'otherAccount')) return 'wrong';
  if (time.passedMs - issued.issuedAt.passedMs >= limits.confirmation.surelyDead * minuteMs) return 'wrong';
  if (issued.open > 0) return 'correct';
  return issued.dispatched ? 'wrong' : 'counted';
}

/**
 * Whether the request is the proposal's to the letter, by the same key, before the id can have expired: nothing excuses
 * a refusal.
 */
export function isPlainConfirmation(issued: IssuedId, args: JsonRecord, by: Credential, time: Time): boolean {
  const { confirmation_id: _, ...request } = args;
  const names = new Set([...Object.keys(request), ...Object.keys(issued.args)]);
  const same = [...names].every((name) => JSON.stringify(request[name]) === JSON.stringify(issued.args[name]));
  const youngEnough = time.nowMs - issued.issuedAt.nowMs < limits.confirmation.surelyAlive * minuteMs;
  return same && youngEnough && issued.credential.role === by.role;
}

/**
 * Both calls name a workspace, and not the same one in whatever spelling; a key that is pinned may disregard what it
 * names.
 */
function isElsewhere(issued: IssuedId, args: JsonRecord, by: Credential): boolean {
  const [proposed, presented] = [issued.args.workspace, args.workspace];
  if ([issued.credential, by].some(({ role }) => role === 'pinned')) return false;
  if (typeof proposed !== 'string' || typeof presented !== 'string') return false;
  return proposed.trim().toLowerCase() !== presented.trim().toLowerCase();
}

/** Nothing that is required on both calls is missing. */
function isWhole({ board, brief, count, shape }: JsonRecord): boolean {
  return [board, brief, count, shape].every((value) => value !== undefined && value !== null);
}
