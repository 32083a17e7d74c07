import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type Completed, isRefusal } from '../../exchange/exchange.ts';
import { mayDiffer } from '../../exchange/history.ts';
import { mayComeFromIntermediary } from '../../exchange/intermediaries.ts';
import { aliveMinutes, atHome, freshMinutes, isExpired, presented, type Shown, unchanged } from './presentation.ts';
import { baseOf, hasObjectOrNoBody } from './scope.ts';

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

/** Group of all 403 responses. Their reasons are roles and tools. */
export const closedGroup = '403';

/** Returns the group of the 401 responses of a base URL. */
export const unauthorizedGroup = (base: string) => `401 ${base}`;

/** Returns the group and the reason of a response that must not reveal its reason; undefined for other responses. */
export function reasonOf(exchange: Completed, seen: Shown): Reason | undefined {
  if (exchange.odd || mayComeFromIntermediary(exchange)) return undefined;
  const { sender, request, response } = exchange;
  const where = hasObjectOrNoBody(exchange) ? baseOf(exchange) : undefined;
  if (where !== undefined && response.status === 401) {
    return { group: unauthorizedGroup(where), reason: `${sender.label} ${request.tool}` };
  }
  if (where !== undefined && response.status === 403 && sender.kind === 'key') {
    return { group: closedGroup, reason: `${sender.role} ${request.tool}` };
  }
  if (where !== undefined && response.status === 404 && sender.kind === 'key') {
    return { group: `404 ${where} ${sender.label}`, reason: String(request.tool) };
  }
  const why = isRefusal(exchange, refusalCodes.confirmationInvalid) ? whyInvalid(exchange, seen) : undefined;
  if (why === undefined) return undefined;
  return { group: invalidGroup(exchange), reason: why, kind: `${why}, ${ageOf(exchange, seen)}` };
}

/** Returns the age of the presented ID as 0 (fresh), 1 (alive) or 2 (older or unknown). */
function ageOf(exchange: Completed, seen: Shown): number {
  const { minutes = Number.POSITIVE_INFINITY } = presented(exchange, seen) ?? {};
  return [freshMinutes, aliveMinutes].filter((limit) => minutes > limit).length;
}

/** Returns the group of responses to one key for one board of one workspace, so that only the ID differs. */
export function invalidGroup({ sender, request }: Completed): string {
  const { workspace, board } = request.args ?? {};
  return JSON.stringify([refusalCodes.confirmationInvalid, sender.role, workspace, board]);
}

/**
 * Returns why the presented ID confirms nothing, if nothing else is wrong with the request: it has all required
 * arguments, and no other presentation of the ID overlaps with it.
 *
 * | Reason | Condition |
 * | --- | --- |
 * | `never issued` | the kit made the ID up, and no response of a complete history issued it |
 * | `issued to another account` | proposed by a key of another account, and not used |
 * | `issued in another workspace` | proposed by the same key in another workspace, and not used |
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
  if (elsewhere) return attempt.used ? undefined : 'issued to another account';
  if (attempt.place === 'other' && attempt.sameKey && !exchange.invented.includes('workspace'))
    return attempt.used ? undefined : 'issued in another workspace';
  if (!atHome(attempt) || !unchanged(attempt)) return undefined;
  if (attempt.used) return 'used';
  return isExpired(attempt) ? 'expired' : undefined;
}
