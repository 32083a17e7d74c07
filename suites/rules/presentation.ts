import { limits } from '../../fixtures/contract/limits.ts';
import { ageAt, body, type Completed, type Exchange, overlap, precedes } from '../history/exchange.ts';
import { areStrangers } from '../history/history.ts';
import {
  boundArguments,
  changedArguments,
  type IssuedId,
  isDispatch,
  type Presentation,
  presentedId,
} from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';

/** Minutes from the issue of an id in which no time that could matter has passed. */
export const freshMinutes = limits.confirmation.fresh;
/** Minutes in which a lifetime is certainly not over, with half a minute for the clocks. */
export const aliveMinutes = limits.confirmation.surelyAlive + 0.5;
/** Minutes after which they are certainly over. */
export const deadMinutes = limits.confirmation.surelyDead;

/** A confirmation id in the moment in which it is presented. */
export interface Presented {
  readonly id: string;
  /** What is known of the id; undefined where no response of the history gave it out. */
  readonly issued: IssuedId | undefined;
  /** Where it is presented, compared with where it was issued. */
  readonly place: 'same' | 'other' | 'unknown';
  readonly sameKey: boolean;
  /** Required arguments with other values than were proposed. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** Presentations whose responses were received before this one was sent, and those under way meanwhile. */
  readonly before: readonly Presentation[];
  readonly during: readonly Presentation[];
  /** It was dispatched before this request was sent. */
  readonly used: boolean;
  /** Everything that happened to the id is known. */
  readonly complete: boolean;
  /** It is dispatched now. */
  readonly runs: boolean;
  /** Minutes since it was issued, by the deployment's clock; undefined where that is not known. */
  readonly minutes: number | undefined;
}

/** What is presented by a request of `images.generate` with a `confirmation_id`; undefined for other requests. */
export function presented(exchange: Completed, seen: Seen): Presented | undefined {
  const id = presentedId(exchange);
  if (id === undefined || exchange.sender.kind !== 'key') return undefined;
  const issued = seen.ids.issued(id);
  if (issued?.twice === true || issued?.unclear === true) return undefined;
  const { role } = exchange.sender;
  // Two accounts may have the same ids.
  if (issued !== undefined && areStrangers(issued.proposal.sender.role, role)) return undefined;
  const presentations = [...(issued?.presentations.values() ?? [])].filter(
    (each) => each.exchange.number !== exchange.number && !areStrangers(each.exchange.sender.role, role),
  );
  const isMeanwhile = (each: Presentation) => overlap(each.exchange, exchange) || areTogether(each.exchange, exchange);
  const before = presentations.filter((each) => !isMeanwhile(each) && precedes(each.exchange, exchange));
  const args = exchange.request.args ?? {};
  return {
    id,
    issued,
    place: issued === undefined ? 'unknown' : placeOf(exchange, issued, seen),
    sameKey: issued !== undefined && issued.proposal.sender.role === exchange.sender.role,
    changed: issued === undefined ? [] : changedArguments(exchange, issued.proposal),
    missing: boundArguments.filter((name) => args[name] === undefined),
    before,
    during: presentations.filter(isMeanwhile),
    complete: seen.knowledge.complete,
    runs: isDispatch(exchange),
    used: before.some(({ outcome }) => outcome === 'dispatched'),
    minutes: issued === undefined || !seen.knowledge.clock ? undefined : minutesOf(issued, exchange, seen),
  };
}

/**
 * The age of an id, if it is certain. A repeated proposal may renew the lifetime of its id, so an old id has a
 * certain age only if all proposals are known.
 */
function minutesOf({ proposal, latest }: IssuedId, exchange: Completed, { knowledge }: Seen): number | undefined {
  const [oldest, youngest] = [ageAt(proposal, exchange) / 60_000, ageAt(latest, exchange) / 60_000];
  return oldest <= aliveMinutes || (youngest >= deadMinutes && knowledge.complete) ? oldest : undefined;
}

/** Sent at one moment on purpose, whenever they arrived. */
const areTogether = (one: Exchange, other: Exchange) => one.together > 1 && other.together > 1;

function placeOf(exchange: Completed, { proposal }: IssuedId, seen: Seen): Presented['place'] {
  const there = body(proposal).workspace ?? seen.places.of(proposal);
  const here = seen.places.of(exchange);
  if (typeof there !== 'string' || here === undefined) return 'unknown';
  return here === there ? 'same' : 'other';
}

/** At most `freshMinutes` old, whatever happened to it. */
export const isFresh = ({ minutes }: Presented) => minutes !== undefined && minutes <= freshMinutes;

/** Presented by its own key, in its own workspace. */
export const atHome = ({ place, sameKey }: Presented) => place === 'same' && sameKey;

/** With the request as it was proposed. */
export const unchanged = ({ changed, missing }: Presented) => changed.length === 0 && missing.length === 0;

/** At most `aliveMinutes` old, and certainly not used before; a dispatch shows that as well. */
export function isLive({ issued, complete, runs, minutes, before, during }: Presented): boolean {
  if (!complete && !runs) return false;
  const mayHaveRun = before.some(({ outcome }) => outcome === 'unknown' || outcome === 'dispatched');
  const young = minutes === undefined ? runs : minutes <= aliveMinutes;
  return issued !== undefined && young && !mayHaveRun && during.length === 0;
}

/** As it should be presented: a live id, at home, with its request. */
export const isCorrect = (it: Presented) => isLive(it) && atHome(it) && unchanged(it);

/** Certainly expired, unless the clock that was moved is not the one that confirmations live by. */
export const isExpired = ({ minutes, used }: Presented) => minutes !== undefined && minutes >= deadMinutes && !used;
