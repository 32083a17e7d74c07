import type { Role } from '../../../fixtures/roles.ts';
import { row } from '../../model/row.ts';
import { isProposal } from '../../situations/ids.ts';
import { betweenReadings, costsNothing } from '../credits/costs-nothing.ts';
import { resemblingId } from '../requests/made-up-ids.ts';
import { briefFor, proposing } from '../requests/proposals.ts';
import type { Args, Steps } from '../steps.ts';
import { story } from '../story.ts';
import { tool } from './first-call.ts';

/** Reads the balance before and after proposals. */
export const proposalsCostNothing = story('proposals cost nothing', {
  turn: 'first',
  needs: { effects: ['proposals'], settings: ['board'] },
  steps: async (t) => {
    await t.part(() => proposeSeveral(t, 'primary', {}));
    const { otherAccountWorkspace: workspace, otherAccountBoard: board } = t.deployment;
    if (t.has('otherAccount') && board !== undefined) await proposeSeveral(t, 'otherAccount', { workspace, board });
  },
  requirements: [
    row('image-proposals.spends-nothing', {
      must: 'The server MUST NOT charge for a proposal or for a refused request.',
      source: 'What the service does, rule 6; Confirmation, first row',
      severity: 'spends-money',
      ...costsNothing({
        tool,
        what: 'proposal',
        isDone: isProposal,
        hint: 'Charge when a confirmed run starts: neither for a proposal nor for a refused request.',
      }),
    }),
  ],
});

/** Keys that propose in addition to `primary`. */
const otherKeys: readonly Role[] = ['pinned', 'ambiguous', 'defaulted', 'sole'];

/**
 * Proposes several times, because a server may charge for some proposals only. For `primary`, also proposes with two
 * other keys, whose proposals the server may refuse. Also sends a proposal that the server must refuse.
 */
async function proposeSeveral(t: Steps, as: Role, place: Args): Promise<void> {
  const request = (change: Args, by = as) => ({ ...proposing(t, { ...place, ...change }), as: by });
  // A server may return the ID of an earlier attempt for an identical proposal.
  const brief = briefFor(t, `to compare balances, attempt ${t.attempt}`);
  const count = Number(t.proposal().count);
  const present = as === 'primary' ? t.present(otherKeys) : [];
  const first = t.turn('keys that propose') % Math.max(1, present.length);
  const others = [...present.slice(first), ...present.slice(0, first)].slice(0, 2);
  const unknown = resemblingId(String(request({}).args?.board), t.text('board without a charge', 16));
  const send = async () => {
    await t.sendInParallel('propose', [
      ...[count, count + 1, count + 3].map((each) => request({ brief, count: each })),
      ...others.map((by) => request({ brief, ...(by === 'ambiguous' ? {} : { workspace: undefined }) }, by)),
    ]);
    await t.send('propose for a board that does not exist', { ...request({ board: unknown }), invented: ['board'] });
  };
  await betweenReadings(t, send, as);
}
