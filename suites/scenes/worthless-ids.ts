import type { Needs } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body } from '../exchange.ts';
import { describeAnswer } from '../expect/answers.ts';
import { controlConfirmed, usedAgain } from './confirming.ts';
import { confirm, controlProposed, isProposal, leftAlone, propose, proposes, spends } from './images.ts';
import { everIssued, neverIssuedId } from './issued-ids.ts';
import { agedId } from './passing-time.ts';

const tool = 'images.generate';

/** A way for an id to be worth nothing: presented by `primary`, in its workspace, with a board of it. */
export interface Worthless {
  name: string;
  needs: Needs;
  /** The call that presents the id; `fresh` sends it anew. */
  present(t: Context): Promise<(fresh: boolean) => Promise<Answered>>;
}

export const neverIssued: Worthless = {
  name: 'an id that was never issued',
  needs: proposes,
  async present(t) {
    const { args, id } = await controlProposed(t);
    const unknown = neverIssuedId(id, everIssued(t));
    const call = () => t.call(tool, { ...args, confirmation_id: unknown });
    const answer = await t.once('never issued', call);
    return async (fresh) => (fresh ? call() : answer);
  },
};

/** The answer to an id that looks like no id that was issued, and is a member of every object. */
export async function ofAnotherForm(t: Context): Promise<Answered> {
  const { args } = await leftAlone(t);
  return t.once('of another form', () => t.call(tool, { ...args, confirmation_id: 'constructor' }));
}

export const used: Worthless = {
  name: 'a used id',
  needs: spends,
  async present(t) {
    const { proposal } = await controlConfirmed(t);
    const answer = await usedAgain(t);
    return async (fresh) => (fresh ? confirm(t, proposal.args, proposal.id) : answer);
  },
};

export const ofOtherWorkspace: Worthless = {
  name: 'an id issued in another workspace',
  needs: { ...spends, settings: ['board', 'otherWorkspace', 'otherBoard'] },
  async present(t) {
    await controlConfirmed(t);
    const { args } = await controlProposed(t);
    const { id } = await t.once('proposed elsewhere', () =>
      propose(t, 'control', t.there({ board: t.setting('otherBoard') })),
    );
    const answer = await t.once('of another workspace', () => confirm(t, args, id));
    return async (fresh) => (fresh ? confirm(t, args, id) : answer);
  },
};

export const ofOtherAccount: Worthless = {
  name: 'an id issued to another account',
  needs: {
    ...spends,
    roles: ['primary', 'otherAccount'],
    settings: ['board', 'otherAccountWorkspace', 'otherAccountBoard'],
  },
  async present(t) {
    await controlConfirmed(t);
    const { args } = await controlProposed(t);
    const id = await t.once('proposed to another account', async () => {
      const theirs = { ...args, workspace: t.setting('otherAccountWorkspace'), board: t.setting('otherAccountBoard') };
      const answer = await t.call(tool, theirs, { as: 'otherAccount' });
      const { confirmation_id } = body(answer);
      if (isProposal(answer) && typeof confirmation_id === 'string') return confirmation_id;
      return t.cannot(`the other account's key got no proposal in its own workspace: ${describeAnswer(answer)}`);
    });
    const answer = await t.once('of another account', () => confirm(t, args, id));
    return async (fresh) => (fresh ? confirm(t, args, id) : answer);
  },
};

export const expired: Worthless = {
  name: 'an expired id',
  needs: { ...spends, time: true, alone: 'clock' },
  async present(t) {
    await controlConfirmed(t);
    const { args } = await controlProposed(t);
    const { id } = await agedId(t);
    const answer = await t.once('expired', () => confirm(t, args, id));
    return async (fresh) => (fresh ? confirm(t, args, id) : answer);
  },
};
