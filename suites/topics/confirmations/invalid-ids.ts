import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Severity } from '../../../fixtures/requirements/model.ts';
import { body, type Completed, isRefusal } from '../../exchange/exchange.ts';
import { shorten } from '../../json.ts';
import { check, refusal } from '../../model/answers.ts';
import { type KitFinding, timesToCount } from '../../model/finding.ts';
import { type Control, type Rule, row } from '../../model/rule.ts';
import { headerParts, memberParts, type Parts } from '../../model/world/by-reason.ts';
import { declinedForCredits } from '../../model/world/house-rules.ts';
import { isDispatch, presentedId } from '../../model/world/ids.ts';
import {
  type InvalidReason,
  isFresh,
  type Presented,
  presented,
  reasonOf,
  whyInvalid,
} from '../../model/world/presentation.ts';
import type { Seen } from '../../model/world/seen.ts';
import { mayName } from '../../model/world/violations.ts';

/**
 * Returns a function that replaces IDs in texts where they are whole words: the ID `3` does not match in "35 minutes".
 * To compare two responses, pass the IDs of both: an ID such as `30` may equal a number that both texts contain.
 */
export function withoutIds(...ids: readonly string[]): (text: string) => string {
  const given = ids.filter((id) => id !== '').sort((a, b) => b.length - a.length);
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const anyId = new RegExp(`(?<![\\p{L}\\p{N}])(?:${given.map(literal).join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  // Most texts contain no ID.
  return (text) => (given.some((id) => text.includes(id)) ? text.replace(anyId, '(the id)') : text);
}

/** Returns a condition: an ID is presented, `wanted` holds, and the service does not lack credits for it. */
export const presents =
  (wanted: (attempt: Presented, exchange: Completed, seen: Seen) => boolean) =>
  (exchange: Completed, seen: Seen): Presented | undefined => {
    const attempt = presented(exchange, seen);
    if (attempt === undefined || declinedForCredits(exchange) !== undefined) return undefined;
    return wanted(attempt, exchange, seen) ? attempt : undefined;
  };

/** Expects a dispatch with the status `dispatched`. Shows the proposal of the ID, too. */
export function dispatches(exchange: Completed, attempt: Presented, seen: Seen): KitFinding | undefined {
  if (isDispatch(exchange) && body(exchange).status === 'dispatched') return undefined;
  return {
    want: { ok: true, result: 'dispatched' },
    expected: 'ok true with status "dispatched"',
    exchanges: withProposal(exchange, attempt),
    ...mayHaveExpired(exchange, seen),
  };
}

/**
 * Another client may have moved the clock on, so that the ID had expired. Of two runs at once, each moves the clock in
 * several stories, so that one finding more than usual is needed.
 */
export const mayHaveExpired = (exchange: Completed, { knowledge }: Seen): Pick<KitFinding, 'refutable'> =>
  knowledge.clockShared && isRefusal(exchange, refusalCodes.confirmationInvalid)
    ? { refutable: { by: 'others', times: timesToCount + 1 } }
    : {};

export const dispatchesAnyStatus = (exchange: Completed, attempt: Presented, seen: Seen) =>
  isDispatch(exchange) ? undefined : dispatches(exchange, attempt, seen);

/** Control: the same request without the ID, which succeeded as a proposal. */
export const proposedControl = (exchange: Completed, seen: Seen): Control =>
  wasProposed(exchange, seen, 'same') || 'image-proposals.proposed';

/** Whether the same request without the ID succeeded as a proposal, with the same brief or any. */
export function wasProposed({ sender, request }: Completed, seen: Seen, texts: 'any' | 'same'): boolean {
  const { confirmation_id: _, ...args } = request.args ?? {};
  return seen.successes.has({ role: sender.role, tool: 'images.generate', args, texts });
}

/** Returns the exchanges that show a finding: the proposal of the ID, and its presentation. */
export const withProposal = (exchange: Completed, { issued }: Presented): Completed[] =>
  issued === undefined ? [exchange] : [issued.proposal, exchange];

/** Whether a fresh ID is presented for the first time, with no other ID issued or dispatched in between. */
export const presentedNext = (attempt: Presented, exchange: Completed, seen: Seen) =>
  attempt.before.length === 0 &&
  isFresh(attempt) &&
  attempt.issued !== undefined &&
  !seen.ids.othersBetween(attempt.issued, exchange);

export const code = refusalCodes.confirmationInvalid;

/** Control: a dispatch. If the server never dispatches, a refusal proves nothing about the ID. */
export const dispatchedControl = (_: Completed, { ids }: Seen): Control =>
  ids.anyDispatched || 'confirmations.dispatched';

const invalidSource = `Confirmation of a spending action, rule 3; Errors, ${code}`;

interface InvalidOptions {
  readonly severity?: Severity;
  readonly source?: string;
  /** Presentations that the first requirement covers; default: all. */
  readonly only?: (attempt: Presented) => boolean;
}

/** Builds the two rules on an ID that is invalid for this reason: it is refused, and like one that was never issued. */
export const invalidIds = (name: string, why: InvalidReason, what: string, options: InvalidOptions = {}): Rule[] => [
  invalid(name, why, what, options),
  likeNeverIssued(name, why, what),
];

/** Covers requests for which `whyInvalid` (`presentation.ts`) returns `why`, and which were proposed successfully. */
export function invalid(
  name: string,
  why: InvalidReason,
  what: string,
  { severity, source = invalidSource, only = () => true }: InvalidOptions = {},
): Rule {
  return row(`confirmations.${name}-invalid`, {
    must: `The server MUST return ${quoted.confirmationInvalid} for ${what}.`,
    source,
    severity,
    applies: (exchange, seen) => {
      const attempt = presented(exchange, seen);
      return attempt !== undefined && whyInvalid(exchange, seen) === why && only(attempt);
    },
    control: (exchange, seen) => {
      // A dispatch of an invalid ID is a finding without another dispatch. A pinned key may run it elsewhere.
      if (isDispatch(exchange) && body(exchange).workspace === seen.places.of(exchange)) return true;
      const dispatched = dispatchedControl(exchange, seen);
      return why === 'never issued' || dispatched === true ? proposedControl(exchange, seen) : dispatched;
    },
    expect: (exchange, _, seen) => {
      const finding = check([refusal(code)], exchange);
      // A validator may refuse a text that does not have the format of an ID.
      if (finding === undefined || why !== 'never issued') return finding;
      if (hasForm(presentedId(exchange) ?? '', seen)) return finding;
      const isUnfit = isRefusal(exchange, refusalCodes.invalidArguments);
      return isUnfit && mayName(body(exchange).issues, 'confirmation_id', 'path or message') ? undefined : finding;
    },
    hint: `Return ${code} for ${what}, and run nothing.`,
  });
}

/** Whether a text has the length of an issued ID and only characters of issued IDs or digits. */
function hasForm(text: string, seen: Seen): boolean {
  const ids = [...seen.ids.all()].map(({ id }) => id);
  const alphabet = new Set(`${ids.join('')}0123456789`);
  return ids.some(({ length }) => length === text.length) && [...text].every((letter) => alphabet.has(letter));
}

/** Number of earlier presentations of this ID that the server refused as invalid. */
export const refusalsBefore = ({ before }: Presented) => before.filter(({ outcome }) => outcome === 'invalid').length;

/** Returns all members and headers of a response, without the presented IDs, which a message may repeat. */
function wholeResponse(exchange: Completed, other: Completed): Parts {
  const without = withoutIds(presentedId(exchange) ?? '', presentedId(other) ?? '');
  return new Map([...memberParts(exchange, without), ...headerParts(exchange)]);
}

/**
 * Compares the members of both bodies, without the presented IDs, and the headers. Parts that also differ between two
 * equal requests do not count. A difference counts if it persists for 6 repetitions of both requests in alternating
 * order.
 */
function likeNeverIssued(name: string, why: InvalidReason, what: string): Rule {
  return row(`confirmations.${name}-like-never-issued`, {
    must: `The server MUST return the same refusal for ${what} as for one that was never issued.`,
    source: invalidSource,
    severity: why === 'issued to another account' ? 'data-isolation' : 'contract',
    applies: (exchange, seen) => {
      const { group = '', reason } = isRefusal(exchange, code) ? (reasonOf(exchange, seen) ?? {}) : {};
      const isCompared = reason === why && seen.byReason.of(group, 'never issued').length > 0;
      return seen.knowledge.complete && isCompared && group;
    },
    control: dispatchedControl,
    expect: (exchange, group, seen) => {
      const difference = seen.byReason.difference(group, 'never issued', why, wholeResponse);
      if (difference === undefined) return undefined;
      const { one, other, parts, certain } = difference;
      const shown = (whole: Parts) => parts.map((name) => `${name}: ${shorten(whole.get(name) ?? '(missing)')}`);
      const got = shown(wholeResponse(other, one));
      const [part = ''] = parts;
      return {
        // Members and the status have a prefix or a name without a hyphen.
        at: part.includes('-') && !part.startsWith('body') ? { header: part } : 'exchanges',
        want: { sameFor: 'every invalid ID', part },
        got,
        expected: `the response to an ID that was never issued (${shown(wholeResponse(one, other)).join('; ')})`,
        actual: got.join('; '),
        exchanges: [one, exchange],
        ...(certain ? {} : { refutable: { by: 'repetition' } }),
      };
    },
    hint: 'Build the refusal of every invalid ID in one place, so that nothing in it depends on the cause.',
  });
}
