import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { ageAt, body, type Completed, type Exchange, isRefusal, overlap, precedes } from '../../exchange/exchange.ts';
import { areStrangers, type Knowledge, mayDiffer } from '../../exchange/history.ts';
import { mayComeFromIntermediary } from '../../exchange/intermediaries.ts';
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
import { baseOf, hasObjectOrNoBody } from './scope.ts';

/** State of a history that decides what a confirmation ID means. */
export interface Shown {
  readonly ids: Ids;
  readonly knowledge: Knowledge;
  readonly places: Places;
}

/** Age in minutes up to which the age of an ID cannot matter. */
export const freshMinutes = limits.confirmation.fresh;
/** Age in minutes up to which an ID is certainly alive, with half a minute of tolerance for clocks. */
const aliveMinutes = limits.confirmation.surelyAlive + 0.5;
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
  if (issued?.twice === true || issued?.proposal.request.args === null) return undefined;
  const { role } = exchange.sender;
  // Two accounts may use equal IDs.
  if (issued !== undefined && areStrangers(issued.proposal.sender.role, role)) return undefined;
  const presentations = (issued === undefined ? [] : seen.ids.presentationsOf(issued)).filter(
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

/**
 * Returns the dispatch whose changed or proposed brief a search result contains, preferably the changed one. Replies do
 * not show the brief that ran, but the library may.
 */
export function changedBriefIn({ request, response }: Completed, { ids }: Shown) {
  if (request.tool !== 'library.search') return undefined;
  const changes = ids.dispatches.flatMap(({ exchange, proposal }) => {
    const [proposed, changed] = [proposal?.request.args?.brief, exchange.request.args?.brief];
    if (typeof proposed !== 'string' || typeof changed !== 'string') return [];
    return proposed.includes(changed) || changed.includes(proposed) ? [] : [{ exchange, proposed, changed }];
  });
  const isShown = (text: string) =>
    text !== request.args?.query && response.text.includes(JSON.stringify(text).slice(1, -1));
  for (const image of ['changed', 'proposed'] as const) {
    const shown = changes.find((change) => isShown(change[image]));
    if (shown !== undefined) return { ...shown, image };
  }
  return undefined;
}

/** Reason why an ID confirms nothing. The response must be identical for all reasons. */
export type InvalidReason =
  | 'never issued'
  | 'used'
  | 'issued in another workspace'
  | 'issued to another account'
  | 'expired';

/** Group of responses that must be identical for all reasons, and the reason of one response. */
interface Reason {
  readonly group: string;
  readonly reason: string;
  /** Reason with the age of the ID. A server may check the age first, so its response may change with the age. */
  readonly kind?: string;
}

/** Returns the group of responses that must not differ from this one; undefined if there is none. */
export function groupOf(exchange: Completed): string | undefined {
  const { sender, request, response } = exchange;
  if (response.status === 401) return `401 ${baseOf(exchange)}`;
  if (response.status === 403 && sender.kind === 'key') return '403';
  if (response.status === 404 && sender.kind === 'key') return `404 ${baseOf(exchange)} ${sender.label}`;
  if (!isRefusal(exchange, refusalCodes.confirmationInvalid)) return undefined;
  // For one key and one board of one workspace, only the ID differs.
  const { workspace, board } = request.args ?? {};
  return JSON.stringify([refusalCodes.confirmationInvalid, sender.role, workspace, board]);
}

/** Returns the group and the reason of a response that must not reveal its reason; undefined for other responses. */
export function reasonOf(exchange: Completed, seen: Shown): Reason | undefined {
  const group = groupOf(exchange);
  if (group === undefined || exchange.odd || mayComeFromIntermediary(exchange)) return undefined;
  if (isRefusal(exchange)) {
    const reason = whyInvalid(exchange, seen);
    return reason && { group, reason, kind: `${reason}, ${ageOf(exchange, seen)}` };
  }
  const { sender, request } = exchange;
  return hasObjectOrNoBody(exchange) ? { group, reason: `${sender.label} ${request.tool}` } : undefined;
}

/** Returns the age of the presented ID as 0 (fresh), 1 (alive) or 2 (older or unknown). */
function ageOf(exchange: Completed, seen: Shown): number {
  const { minutes = Number.POSITIVE_INFINITY } = presented(exchange, seen) ?? {};
  return [freshMinutes, aliveMinutes].filter((limit) => minutes > limit).length;
}

/**
 * Returns why the presented ID confirms nothing, if nothing else is wrong with the request: it has all required
 * arguments, and no other presentation of the ID overlaps with it.
 *
 * | Reason | Condition |
 * | --- | --- |
 * | `never issued` | the kit made the ID up, and no response of a complete history issued it |
 * | `issued to another account` | proposed by a key of another account |
 * | `issued in another workspace` | proposed in another workspace; by the same key, unless dispatched here |
 * | `used` | dispatched before this request was sent; same key, workspace and arguments as the proposal |
 * | `expired` | not used, and older than `deadMinutes`; same key, workspace and arguments as the proposal |
 */
export function whyInvalid(exchange: Completed, seen: Shown): InvalidReason | undefined {
  const { sender } = exchange;
  const attempt = presented(exchange, seen);
  if (attempt === undefined || attempt.missing.length > 0 || attempt.during.length > 0) return undefined;
  if (attempt.issued === undefined) {
    const never =
      seen.knowledge.complete &&
      exchange.invented.includes('confirmation_id') &&
      seen.ids.wasIssued(attempt.id) === false;
    return never ? 'never issued' : undefined;
  }
  const [issuedTo, sentBy] = [attempt.issued.proposal.sender.role, sender.role];
  const elsewhere = mayDiffer(issuedTo, sentBy, seen.knowledge);
  if (elsewhere) return 'issued to another account';
  const isOtherPlace = attempt.place === 'other' && !exchange.invented.includes('workspace');
  if (isOtherPlace && (attempt.sameKey || attempt.runs)) return 'issued in another workspace';
  if (!atHome(attempt) || !unchanged(attempt)) return undefined;
  if (attempt.used) return 'used';
  return isExpired(attempt) ? 'expired' : undefined;
}
