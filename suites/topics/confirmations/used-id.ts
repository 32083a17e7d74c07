import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { aboutLifetime, limits } from '../../../fixtures/contract/limits.ts';
import { type Completed, isRefusal } from '../../exchange/exchange.ts';
import { check, holds, refusal } from '../../model/answers.ts';
import { inWords } from '../../model/numerals.ts';
import { row } from '../../model/rule.ts';
import { declinedWith } from '../../model/world/house-rules.ts';
import { isDispatch, presentedId } from '../../model/world/ids.ts';
import { isFresh, presented } from '../../model/world/presentation.ts';
import type { Seen } from '../../model/world/seen.ts';
import { ownWorkspace } from '../requests/places.ts';
import {
  briefFor,
  confirming,
  elsewhere,
  obtainUsedIdAfterNeverIssued,
  otherCase,
  otherShapes,
  type Proposal,
  propose,
  proposeOpen,
  without,
} from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story, toSpend } from '../story.ts';
import { code, dispatchedControl, invalid, invalidIds, refusalsBefore, wasProposed } from './invalid-ids.ts';

/**
 * Whether the ID differs from a used one only in case. A case-insensitive server takes it for the used ID, any other
 * for an ID that was never issued.
 */
function isUsedInOtherCase(exchange: Completed, seen: Seen): boolean {
  const other = seen.ids.inOtherCase(presentedId(exchange) ?? '');
  return other?.presentations.some(({ outcome }) => outcome === 'dispatched') === true;
}

const usedStays = row('confirmations.used-stays-invalid', {
  must: `The server MUST return ${quoted.confirmationInvalid} every time a used confirmation ID is presented.`,
  source: 'Confirmation of a spending action, last row and rule 2',
  severity: 'spends-money',
  applies: (exchange, seen) => {
    const attempt = presented(exchange, seen);
    if (attempt === undefined || isUsedInOtherCase(exchange, seen)) return attempt;
    const { used, missing, during, place, changed, sameKey } = attempt;
    if (!used || missing.length > 0 || during.length > 0 || place !== 'same') return undefined;
    const isAgain = refusalsBefore(attempt) > 0 || !isFresh(attempt) || changed.length > 0 || !sameKey;
    // A server may refuse an unknown board, or a key without permission, with another code.
    return isAgain && (!changed.includes('board') || isDispatch(exchange)) && attempt;
  },
  control: dispatchedControl,
  expect: (exchange, { changed, sameKey }, seen) => {
    // A server may have its own code for a brief that differs from the proposal.
    if (changed.includes('brief') && declinedWith(exchange) !== undefined) return undefined;
    // A server may refuse a request that was never proposed for another error, but it must not run it.
    if (sameKey && wasProposed(exchange, seen, 'any')) return check([refusal(code)], exchange);
    return isDispatch(exchange) && { expected: 'no dispatch for a used ID' };
  },
  hint: 'Keep a used ID invalid for every request and key, at least until the ID would have expired.',
});

/** Matches the lifetime in digits or in words, such as `thirty`. */
const lifetimeInWords = new RegExp(`\\b${limits.confirmation.about}\\b|${inWords(limits.confirmation.about)}`, 'i');

const messageTellsLifetime = row('confirmations.message-tells-lifetime', {
  should: `The server SHOULD mention the lifetime (${aboutLifetime}) in the message of ${quoted.confirmationInvalid}.`,
  source: `Errors, ${refusalCodes.confirmationInvalid}`,
  severity: 'cosmetic',
  applies: (exchange) => isRefusal(exchange, code),
  answers: [holds('message', `that mentions ${aboutLifetime}`, (message) => lifetimeInWords.test(String(message)))],
  hint: `Mention ${aboutLifetime} in the message, so that people know why their approval came too late.`,
});

export const usedIds = story('used IDs', {
  turn: 'first',
  needs: toSpend,
  steps: async (t) => {
    const { args: more } = await proposeOpen(t);
    const used = await obtainUsedIdAfterNeverIssued(t);
    for (let times = 1; times <= 2; times += 1) await t.send('present the used ID', confirming(used));
    await t.send('present the used ID with another count', confirming(used, { count: more.count }));
    const otherBrief = briefFor(t, 'something else');
    await t.send('present the used ID with another brief', confirming(used, { brief: otherBrief }));
    const inOtherCase = confirming(used, { confirmation_id: otherCase(used.id) });
    await t.send('present the used ID in another letter case', inOtherCase);
    const ofOtherFormat = confirming(used, { confirmation_id: 'constructor' });
    await t.send('present an ID in another format', { ...ofOtherFormat, invented: ['confirmation_id'] });
    const there = elsewhere(t, used);
    if (there !== undefined) await t.send('present the used ID in another workspace', there);
    const { secondBoard: board } = t.deployment;
    if (board !== undefined) await t.send('present the used ID for another board', confirming(used, { board }));
    for (const as of t.present(['defaulted', 'ambiguous', 'throttled']).slice(0, 1))
      await t.send(`present the used ID as ${as}`, { ...confirming(used), as });
  },
  requirements: [
    ...invalidIds('used', 'used', 'a used confirmation ID', {
      source: 'Confirmation of a spending action, rule 2; Limits',
      severity: 'spends-money',
      // `usedStays` covers all later presentations.
      only: (attempt) => isFresh(attempt) && refusalsBefore(attempt) === 0,
    }),
    usedStays,
    invalid('never-issued', 'never issued', 'a confirmation ID that was never issued'),
    messageTellsLifetime,
  ],
});

export const foreignIds = story('IDs issued elsewhere', {
  needs: toSpend,
  steps: async (t) => {
    const used = await obtainUsedIdAfterNeverIssued(t);
    await t.part(async () => {
      const there = { workspace: t.setting('otherWorkspace'), board: t.setting('otherBoard') };
      const theirs = await propose(t, 'propose in the other workspace', there);
      const here = { id: theirs.id, args: t.proposal() };
      await presentHere(t, here);
      for (const as of t.present(['primary', 'defaulted', 'pinned'])) {
        const isOwn = (await ownWorkspace(t, as)) === here.args.workspace;
        // A pinned key may ignore the argument.
        if (!isOwn && as !== 'defaulted') continue;
        const args = isOwn ? without(here.args, 'workspace') : here.args;
        await t.send(`present the foreign ID as ${as}`, { ...confirming({ ...here, args }), as });
      }
    });
    await t.part(async () => {
      const there = { workspace: t.setting('otherAccountWorkspace'), board: t.setting('otherAccountBoard') };
      t.key('otherAccount');
      const theirs = await propose(t, 'propose as the other account', there, { as: 'otherAccount' });
      await presentHere(t, { id: theirs.id, args: t.proposal() });
      const ours = await propose(t, 'propose here');
      // The other account sends a request that it proposed successfully, so the ID is the only error.
      for (const { id } of [ours, used]) {
        const asTheirs = { ...confirming({ id, args: theirs.args }), as: 'otherAccount' as const };
        await t.send('present an ID as the other account', asTheirs);
      }
    });
  },
  requirements: [
    ...invalidIds('other-workspace', 'issued in another workspace', 'a confirmation ID of another workspace', {
      severity: 'data-isolation',
    }),
    ...invalidIds('other-account', 'issued to another account', 'a confirmation ID of another account', {
      severity: 'data-isolation',
    }),
  ],
});

/** Presents the ID, also with changes to values that the server accepts in proposals, as a second error. */
async function presentHere(t: Steps, here: Pick<Proposal, 'id' | 'args'>): Promise<void> {
  await t.send('present the foreign ID', confirming(here));
  const { count, brief } = here.args;
  for (const change of [{ count: Number(count) + 1 }, ...otherShapes(t).slice(0, 1)])
    await t.send('present the foreign ID with a changed request', confirming(here, { ...change, brief }));
}
