import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { aboutLifetime, limits } from '../../../fixtures/contract/limits.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { inWords } from '../../expectations/in-words.ts';
import { type Completed, isRefusal } from '../../history/exchange.ts';
import { holds, refusal } from '../../model/answers.ts';
import { differing, row } from '../../model/row.ts';
import { declinedWith } from '../../situations/declined.ts';
import { isDispatch, presentedId } from '../../situations/ids.ts';
import { isFresh, type Presented, presented } from '../../situations/presentation.ts';
import type { Seen } from '../../situations/seen.ts';
import { askBalance } from '../credits/compare-balances.ts';
import { betweenReadings } from '../credits/costs-nothing.ts';
import { otherCase } from '../requests/made-up-ids.ts';
import { briefFor, confirming, proposeOpen } from '../requests/proposals.ts';
import { obtainUsedIdAfterNeverIssued } from '../requests/used-ids.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';
import { code, dispatchedTwin, invalid, likeNeverIssued, refusalsBefore } from './invalid-ids.ts';
import { needs, wasProposed } from './matchers.ts';

/**
 * Whether the ID differs from a used one only in case. A case-insensitive server takes it for the used ID, any other
 * for an ID that was never issued.
 */
function isUsedInOtherCase(exchange: Completed, seen: Seen): boolean {
  const other = seen.ids.inOtherCase(presentedId(exchange) ?? '');
  return [...(other?.presentations.values() ?? [])].some(({ outcome }) => outcome === 'dispatched');
}

/** Whether an ID is fresh and was never refused. `usedStays` covers all later presentations. */
const isFirstUseAgain = (attempt: Presented) => isFresh(attempt) && refusalsBefore(attempt) === 0;

const usedStays = row('confirmations.used-stays-invalid', {
  must: `The server MUST return ${quoted.confirmationInvalid} every time a used confirmation ID is presented.`,
  source: 'Confirmation of a spending action, last row and rule 2',
  severity: 'spends-money',
  applies: (exchange, seen) => {
    const attempt = presented(exchange, seen);
    if (isUsedInOtherCase(exchange, seen)) return true;
    if (attempt?.used !== true || attempt.missing.length > 0 || attempt.during.length > 0 || attempt.place !== 'same')
      return false;
    // A server may refuse an unknown board, or a key without permission, with another code.
    return (
      !attempt.changed.includes('board') &&
      (refusalsBefore(attempt) > 0 || !isFresh(attempt) || attempt.changed.length > 0 || !attempt.sameKey)
    );
  },
  twin: (_, seen) => dispatchedTwin(seen.ids.anyDispatched),
  expect: (exchange, seen) => {
    const hint = 'Keep a used ID invalid for every request and key, at least until the ID would have expired.';
    const { changed = [], sameKey } = presented(exchange, seen) ?? {};
    // A server may have its own code for a brief that differs from the proposal.
    if (changed.includes('brief') && declinedWith(exchange) !== undefined) return undefined;
    // A server may refuse a request that was never proposed for another error, but it must not run it.
    if (sameKey === true && wasProposed(exchange, seen, 'any')) return differing(exchange, [refusal(code)], hint);
    if (!isDispatch(exchange)) return undefined;
    return { expected: 'no dispatch for a used ID', hint };
  },
});

/** Matches the lifetime in digits or in words, such as `thirty`. */
const lifetimeInWords = new RegExp(`\\b${limits.confirmation.about}\\b|${inWords(limits.confirmation.about)}`, 'i');

const messageTellsLifetime = row('confirmations.message-tells-lifetime', {
  should:
    `The server SHOULD mention the lifetime of ${limits.confirmation.about} minutes in the message of ` +
    `${quoted.confirmationInvalid}.`,
  source: `Errors, ${refusalCodes.confirmationInvalid}`,
  severity: 'cosmetic',
  judges: 'every refusal',
  applies: (exchange) => isRefusal(exchange, code),
  answers: [holds('message', `that mentions ${aboutLifetime}`, (message) => lifetimeInWords.test(String(message)))],
  hint:
    `Mention the ${limits.confirmation.about}-minute lifetime in the message, so that people know why ` +
    'their approval came too late.',
});

/** Presents a used ID several times, unchanged and with changes. */
export const usedIds = story('used IDs', {
  turn: 'first',
  needs,
  images: 1,
  steps: async (t) => {
    const { args: more } = await proposeOpen(t);
    const used = await obtainUsedIdAfterNeverIssued(t);
    for (let times = 1; times <= 3; times += 1) await t.send('present the used ID', confirming(used));
    await t.send('present the used ID with another count', confirming(used, { count: more.count }));
    const otherBrief = briefFor(t, 'something else');
    await t.send('present the used ID with another brief', confirming(used, { brief: otherBrief }));
    await t.send(
      'present the used ID in another letter case',
      confirming(used, { confirmation_id: otherCase(used.id) }),
    );
    await t.send('present an ID in another format', {
      ...confirming(used, { confirmation_id: 'constructor' }),
      invented: ['confirmation_id'],
    });
    for (const as of otherKeys(t)) await t.send(`present the used ID as ${as}`, { ...confirming(used), as });
  },
  requirements: [
    invalid('confirmations.used-invalid', 'used', 'a used confirmation ID', {
      source: 'Confirmation of a spending action, rule 2; Limits',
      severity: 'spends-money',
      only: isFirstUseAgain,
    }),
    usedStays,
    invalid('confirmations.never-issued-invalid', 'never issued', 'a confirmation ID that was never issued'),
    likeNeverIssued('confirmations.used-like-never-issued', 'used', 'a used confirmation ID'),
    messageTellsLifetime,
  ],
});

/** Reads the balance before and after a used ID, while no other story proposes. */
export const usedIdCostsNothing = story('a used ID costs nothing', {
  turn: 'last',
  needs,
  images: 1,
  steps: async (t) => {
    const used = await obtainUsedIdAfterNeverIssued(t);
    await betweenReadings(t, async () => {
      await t.send('present the used ID', confirming(used));
    });
    if (t.has('otherAccount')) await t.send('read the balance', { ...askBalance, as: 'otherAccount' });
  },
  alsoTests: ['image-proposals.spends-nothing', 'credits.other-account-unchanged'],
});

/** Returns a role whose key may belong to the same account. */
function otherKeys(t: Steps): Role[] {
  return t.present(['defaulted', 'ambiguous', 'throttled']).slice(0, 1);
}
