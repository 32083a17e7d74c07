import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type Completed, isRefusal } from '../../history/exchange.ts';
import { mayDiffer } from '../../history/history.ts';
import { mayComeFromIntermediary } from '../../history/intermediaries.ts';
import { baseOf, isProperRequest } from '../match/scope.ts';
import { aliveMinutes, atHome, freshMinutes, isExpired, presented, unchanged } from '../presentation.ts';
import type { Seen } from './seen.ts';

/** Why an id confirms nothing; the response must be the same for all of them. */
export type InvalidCause =
  | 'never issued'
  | 'used'
  | 'issued in another workspace'
  | 'issued to another account'
  | 'expired';

/** Responses that must be the same whatever their cause, and the cause of this one. */
export interface Cause {
  readonly group: string;
  readonly cause: string;
  /** A server may notice the age of an id first: so its answer to a cause may change from one kind to the next. */
  readonly kind?: string;
}

/** Responses 403, by role and tool. */
export const closedGroup = '403';

/** Responses 401 of a base URL. */
export const unauthorizedGroup = (base: string) => `401 ${base}`;

/** The group and the cause of a response that must not tell its cause; undefined for other responses. */
export function causeOf(exchange: Completed, seen: Seen): Cause | undefined {
  if (exchange.odd || mayComeFromIntermediary(exchange)) return undefined;
  const { sender, request, response } = exchange;
  const where = isProperRequest(exchange) ? baseOf(exchange) : undefined;
  if (where !== undefined && response.status === 401) {
    return { group: unauthorizedGroup(where), cause: `${sender.label} ${request.tool}` };
  }
  if (where !== undefined && response.status === 403 && sender.kind === 'key') {
    return { group: closedGroup, cause: `${sender.role} ${request.tool}` };
  }
  if (where !== undefined && response.status === 404 && sender.kind === 'key') {
    return { group: `404 ${where} ${sender.label}`, cause: String(request.tool) };
  }
  const why = isRefusal(exchange, refusalCodes.confirmationInvalid) ? whyInvalid(exchange, seen) : undefined;
  if (why === undefined) return undefined;
  return { group: invalidGroup(exchange), cause: why, kind: `${why}, ${ageOf(exchange, seen)}` };
}

/** How old the id that is presented is, roughly. */
function ageOf(exchange: Completed, seen: Seen): number {
  const { minutes = Number.POSITIVE_INFINITY } = presented(exchange, seen) ?? {};
  return [freshMinutes, aliveMinutes].filter((each) => minutes > each).length;
}

/** Answers to one key about one board of one workspace, so that nothing but the id differs. */
export function invalidGroup({ sender, request }: Completed): string {
  const { workspace, board } = request.args ?? {};
  return JSON.stringify([refusalCodes.confirmationInvalid, sender.role, workspace, board]);
}

/**
 * Why the id that is presented confirms nothing, where nothing else is wrong with the request. An id is `used` once a
 * presentation of it was dispatched before this request was sent.
 */
export function whyInvalid(exchange: Completed, seen: Seen): InvalidCause | undefined {
  const { sender } = exchange;
  const it = presented(exchange, seen);
  if (it === undefined || it.missing.length > 0 || it.during.length > 0) return undefined;
  if (it.issued === undefined) {
    const never =
      seen.knowledge.complete && exchange.invented.includes('confirmation_id') && seen.ids.wasIssued(it.id) === false;
    return never ? 'never issued' : undefined;
  }
  const [issuedTo, sentBy] = [it.issued.proposal.sender.role, sender.role];
  const elsewhere = mayDiffer(issuedTo, sentBy, seen.knowledge);
  if (elsewhere) return it.used ? undefined : 'issued to another account';
  if (it.place === 'other' && it.sameKey && !exchange.invented.includes('workspace'))
    return it.used ? undefined : 'issued in another workspace';
  if (!atHome(it) || !unchanged(it)) return undefined;
  if (it.used) return 'used';
  return isExpired(it) ? 'expired' : undefined;
}
