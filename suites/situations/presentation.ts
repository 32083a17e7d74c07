import { limits } from '../../fixtures/contract/limits.ts';
import { ageAt, body, type Completed, type Exchange, overlap, precedes } from '../history/exchange.ts';
import { areStrangers, type Knowledge } from '../history/history.ts';
import {
  boundArguments,
  changedArguments,
  type Ids,
  type IssuedId,
  isDispatch,
  type Presentation,
  presentedId,
} from './ids.ts';
import type { Places } from './places.ts';

/** State of a history that decides what a confirmation ID means. */
export interface Shown {
  readonly ids: Ids;
  readonly knowledge: Knowledge;
  readonly places: Places;
}

/** Age in minutes up to which the age of an ID cannot matter. */
export const freshMinutes = limits.confirmation.fresh;
/** Age in minutes up to which an ID is certainly alive, with half a minute of tolerance for clocks. */
export const aliveMinutes = limits.confirmation.surelyAlive + 0.5;
/** Age in minutes from which an ID is certainly expired. */
export const deadMinutes = limits.confirmation.surelyDead;

/** A confirmation ID at the time of its presentation. */
export interface Presented {
  readonly id: string;
  /** The known ID; undefined if no response of the history issued it. */
  readonly issued: IssuedId | undefined;
  /** Workspace of the presentation, compared with the workspace of the proposal. */
  readonly place: 'same' | 'other' | 'unknown';
  readonly sameKey: boolean;
  /** Required arguments whose values differ from the proposal. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** Presentations that got a response before this request was sent, and presentations that overlap with it. */
  readonly before: readonly Presentation[];
  readonly during: readonly Presentation[];
  /** Whether the ID was dispatched before this request was sent. */
  readonly used: boolean;
  /** Whether the history has everything that happened to the ID. */
  readonly complete: boolean;
  /** Whether this request dispatches the ID. */
  readonly runs: boolean;
  /** Age of the ID in minutes, by the deployment's clock; undefined if unknown. */
  readonly minutes: number | undefined;
}

/** Returns how a request presents a confirmation ID; undefined for other requests and for ambiguous IDs. */
export function presented(exchange: Completed, seen: Shown): Presented | undefined {
  const id = presentedId(exchange);
  if (id === undefined || exchange.sender.kind !== 'key') return undefined;
  const issued = seen.ids.issued(id);
  if (issued?.twice === true || issued?.unclear === true) return undefined;
  const { role } = exchange.sender;
  // Two accounts may use equal IDs.
  if (issued !== undefined && areStrangers(issued.proposal.sender.role, role)) return undefined;
  const presentations = [...(issued?.presentations.values() ?? [])].filter(
    (presentation) =>
      presentation.exchange.number !== exchange.number && !areStrangers(presentation.exchange.sender.role, role),
  );
  const isMeanwhile = (presentation: Presentation) =>
    overlap(presentation.exchange, exchange) || areTogether(presentation.exchange, exchange);
  const before = presentations.filter(
    (presentation) => !isMeanwhile(presentation) && precedes(presentation.exchange, exchange),
  );
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
 * Returns the age of an ID in minutes; undefined if it is uncertain. A repeated proposal may renew the lifetime of its
 * ID. The age of an old ID is therefore certain only if all proposals are known.
 */
function minutesOf({ proposal, latest }: IssuedId, exchange: Completed, { knowledge }: Shown): number | undefined {
  const [oldest, youngest] = [ageAt(proposal, exchange) / 60_000, ageAt(latest, exchange) / 60_000];
  return oldest <= aliveMinutes || (youngest >= deadMinutes && knowledge.complete) ? oldest : undefined;
}

/** Returns whether two requests were sent simultaneously on purpose, regardless of their arrival. */
const areTogether = (one: Exchange, other: Exchange) => one.together > 1 && other.together > 1;

function placeOf(exchange: Completed, { proposal }: IssuedId, seen: Shown): Presented['place'] {
  const there = body(proposal).workspace ?? seen.places.of(proposal);
  const here = seen.places.of(exchange);
  if (typeof there !== 'string' || here === undefined) return 'unknown';
  return here === there ? 'same' : 'other';
}

/** Whether the ID is at most `freshMinutes` old, used or not. */
export const isFresh = ({ minutes }: Presented) => minutes !== undefined && minutes <= freshMinutes;

/** Whether the ID is presented by its own key, in its own workspace. */
export const atHome = ({ place, sameKey }: Presented) => place === 'same' && sameKey;

/** Whether the request repeats all bound arguments of the proposal. */
export const unchanged = ({ changed, missing }: Presented) => changed.length === 0 && missing.length === 0;

/** Returns whether the ID is at most `aliveMinutes` old and certainly unused. A dispatch shows both. */
export function isLive({ issued, complete, runs, minutes, before, during }: Presented): boolean {
  if (!complete && !runs) return false;
  const mayHaveRun = before.some(({ outcome }) => outcome === 'unknown' || outcome === 'dispatched');
  const young = minutes === undefined ? runs : minutes <= aliveMinutes;
  return issued !== undefined && young && !mayHaveRun && during.length === 0;
}

/** Whether the confirmation is correct: a live ID, its own key and workspace, and the proposed request. */
export const isCorrect = (attempt: Presented) => isLive(attempt) && atHome(attempt) && unchanged(attempt);

/** Whether the ID is certainly expired, provided that confirmations follow the clock that was advanced. */
export const isExpired = ({ minutes, used }: Presented) => minutes !== undefined && minutes >= deadMinutes && !used;
