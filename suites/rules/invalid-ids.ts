import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { aboutLifetime, limits } from '../../fixtures/contract/limits.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed, isRefusal } from '../history/exchange.ts';
import { brief, shorten } from '../json.ts';
import { proposedTwin } from './confirmations.ts';
import type { Finding } from './finding.ts';
import { inWords } from './match/in-words.ts';
import { invalidField } from './match/issues.ts';
import { headerParts, memberParts, type Parts } from './match/parts.ts';
import { describe, refuses } from './match/responses.ts';
import { withoutIds } from './match/without-ids.ts';
import { isFresh, type Presented, presented } from './presentation.ts';
import { type Rule, rule, type Twin } from './rule.ts';
import { confirmingRounds } from './seen/by-cause.ts';
import { causeOf, type InvalidCause, invalidGroup, whyInvalid } from './seen/causes.ts';
import { isDispatch, presentedId } from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';

const code = refusalCodes.confirmationInvalid;

const noDispatch: Twin = { succeeded: false, promisedBy: 'confirmations.dispatched' };

/** An id that confirms nothing for this reason, presented with a request that was proposed with success. */
function invalid(id: RequirementId, why: InvalidCause): Rule {
  const named = why === 'expired' ? 'an expired id' : `an id that was ${why}`;
  return rule(id, {
    applies: (exchange, seen) => {
      const it = presented(exchange, seen);
      // Of a used id only the first presentation within 5 minutes; `used-stays-invalid` judges all others.
      const again = why === 'used' && it !== undefined && (!isFresh(it) || presentedSinceUse(it) > 0);
      return whyInvalid(exchange, seen) === why && !again;
    },
    unlessChanged: true,
    // Where nothing is ever dispatched, a refusal tells nothing of the id; what runs needs no comparison.
    twin: (exchange, seen) => {
      if (runsWhereNamed(exchange)) return { ...noDispatch, succeeded: true };
      return why === 'never issued' || seen.ids.anyDispatched ? proposedTwin(exchange, seen) : noDispatch;
    },
    expect: (exchange, seen) => {
      const finding = refuses(
        exchange,
        code,
        `Return ${refusalCodes.confirmationInvalid} for ${named}, and run nothing.`,
      );
      // A validator may refuse what does not have the form of an id.
      if (finding === undefined || why !== 'never issued') return finding;
      if (hasForm(presentedId(exchange) ?? '', seen)) return finding;
      return invalidField(exchange, 'confirmation_id', 'path or message', finding.hint) && finding;
    },
  });
}

/** What a pinned key does with a workspace that a request names is not shown: it may run where it was proposed. */
const runsWhereNamed = (exchange: Completed) =>
  isDispatch(exchange) && body(exchange).workspace === exchange.request.args?.workspace;

/** Whether a text has the form of the ids that were issued: their length, and no character that none of them has. */
function hasForm(text: string, seen: Seen): boolean {
  const ids = [...seen.ids.all()].map(({ id }) => id);
  const alphabet = new Set(`${ids.join('')}0123456789`);
  return ids.some(({ length }) => length === text.length) && [...text].every((letter) => alphabet.has(letter));
}

/** To whom upper and lower case are one, it is the used id; to others it was never issued. */
function isUsedInOtherCase(exchange: Completed, seen: Seen): boolean {
  const other = seen.ids.inOtherCase(presentedId(exchange) ?? '');
  return [...(other?.presentations.values() ?? [])].some(({ outcome }) => outcome === 'dispatched');
}

/** How often a used id was presented before, and refused. */
const presentedSinceUse = ({ before }: Presented) => before.filter(({ outcome }) => outcome === 'invalid').length;

/**
 * Whether the request would be proposed: otherwise it may be refused for what is wrong with it, as long as nothing
 * runs.
 */
function isAccepted({ sender, request }: Completed, seen: Seen): boolean {
  const { confirmation_id: _, ...args } = request.args ?? {};
  return seen.successes.has({ role: sender.role, tool: 'images.generate', args });
}

const usedStays = rule('confirmations.used-stays-invalid', {
  applies: (exchange, seen) => {
    const it = presented(exchange, seen);
    if (isUsedInOtherCase(exchange, seen)) return true;
    if (it?.used !== true || it.missing.length > 0 || it.during.length > 0 || it.place !== 'same') return false;
    // A board that is not there, and a key that may not, are refused for that.
    return (
      !it.changed.includes('board') &&
      (presentedSinceUse(it) > 0 || !isFresh(it) || it.changed.length > 0 || !it.sameKey)
    );
  },
  unlessChanged: true,
  twin: (_, seen) => ({ ...noDispatch, succeeded: seen.ids.anyDispatched }),
  expect: (exchange, seen) => {
    const hint = 'Keep a used id invalid: for every request and key, at least until it would have expired.';
    if (presented(exchange, seen)?.sameKey === true && isAccepted(exchange, seen)) return refuses(exchange, code, hint);
    if (!isDispatch(exchange)) return undefined;
    return { expected: 'no dispatch for a used id', actual: describe(exchange), hint, exchanges: [exchange] };
  },
});

/** The whole response but for the ids that were presented, which a message may repeat. */
function wholeResponse(exchange: Completed, other: Completed): Parts {
  const without = withoutIds(presentedId(exchange) ?? '', presentedId(other) ?? '');
  return new Map([...memberParts(exchange, without), ...headerParts(exchange)]);
}

function likeNeverIssued(id: RequirementId, why: InvalidCause): Rule {
  return rule(id, {
    applies: (exchange, seen) =>
      seen.knowledge.complete &&
      isRefusal(exchange, code) &&
      causeOf(exchange, seen)?.cause === why &&
      seen.byCause.of(invalidGroup(exchange), 'never issued').length > 0,
    twin: (_, seen) => ({ ...noDispatch, succeeded: seen.ids.anyDispatched }),
    expect: (exchange, seen) => differs(exchange, seen, why),
  });
}

function differs(exchange: Completed, seen: Seen, why: InvalidCause): Finding | undefined {
  const it = seen.byCause.difference(invalidGroup(exchange), 'never issued', why, wholeResponse);
  if (it === undefined) return undefined;
  const shown = (parts: Parts) => it.parts.map((name) => `${name}: ${shorten(parts.get(name) ?? '(missing)')}`);
  return {
    expected: `the response to an id that was never issued (${shown(wholeResponse(it.one, it.other)).join('; ')})`,
    actual: shown(wholeResponse(it.other, it.one)).join('; '),
    hint: 'Build the refusal of every invalid id in one place, so that nothing in it depends on the cause.',
    exchanges: [it.one, exchange],
    ...(it.certain ? {} : { uncertain: confirmingRounds }),
  };
}

/** The lifetime in digits or in words, such as `thirty`. */
const lifetimeInWords = new RegExp(`\\b${limits.confirmation.about}\\b|${inWords(limits.confirmation.about)}`, 'i');

const messageTellsLifetime = rule('confirmations.message-tells-lifetime', {
  applies: (exchange) => isRefusal(exchange, code),
  expect: (exchange) =>
    lifetimeInWords.test(String(body(exchange).message))
      ? undefined
      : {
          expected: `a message that mentions ${aboutLifetime}`,
          actual: `message ${brief(body(exchange).message)}`,
          hint:
            `Mention the ${limits.confirmation.about} minutes in the message, so that people know why their ` +
            'approval came too late.',
          exchanges: [exchange],
        },
});

/** Ids that confirm nothing, and what is answered to them. */
export const invalidIds: readonly Rule[] = [
  invalid('confirmations.used-invalid', 'used'),
  usedStays,
  invalid('confirmations.never-issued-invalid', 'never issued'),
  invalid('confirmations.other-workspace-invalid', 'issued in another workspace'),
  invalid('confirmations.other-account-invalid', 'issued to another account'),
  invalid('confirmations.expired-invalid', 'expired'),
  likeNeverIssued('confirmations.used-like-never-issued', 'used'),
  likeNeverIssued('confirmations.other-workspace-like-never-issued', 'issued in another workspace'),
  likeNeverIssued('confirmations.other-account-like-never-issued', 'issued to another account'),
  likeNeverIssued('confirmations.expired-like-never-issued', 'expired'),
  messageTellsLifetime,
];
