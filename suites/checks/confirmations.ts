import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check, type Needs } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, isRefusal } from '../exchange.ts';
import { describeAnswer, refuses } from '../expect/answers.ts';
import { allDifferent, fieldIs, fieldIsText } from '../expect/fields.ts';
import { headerParts, memberParts, type Parts } from '../expect/same.ts';
import { first, type Verdict } from '../finding.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { toldApart } from '../scenes/apart.ts';
import {
  confirm,
  confirmed,
  controlConfirmed,
  controlProposed,
  dispatches,
  isDispatch,
  isProposal,
  neverIssuedId,
  propose,
  proposeAndConfirm,
  proposes,
  spends,
} from '../scenes/images.ts';
import { agedId } from '../scenes/passing-time.ts';
import { offeredShape } from './image-proposals.ts';

const tool = 'images.generate';
const code = 'confirmation_invalid';

/** What holds for every dispatched reply, whichever check asked for it. */
function everyDispatch(requirement: RequirementId, verdict: (exchange: Answered) => Verdict) {
  return rule({
    requirement,
    needs: spends,
    applies: (exchange) =>
      exchange.request.tool === tool && body(exchange).status === 'dispatched' && isDispatch(exchange),
    verdict,
    exercise: async (t) => [(await confirmed(t)).reply],
  });
}

/** Whether a proposal with this change is refused too, so that refusing it on the second call is within the rules. */
async function proposalRefused(t: Context, change: Args): Promise<boolean> {
  const { args } = await controlProposed(t);
  return isRefusal(await t.call(tool, { ...args, ...change }));
}

/** The reply to a confirmation with changed arguments carries what was confirmed. */
function original(proposal: { args: Args }, reply: Answered): Verdict {
  const hint = 'the id is bound to the request that was shown: run that one, and take nothing from the second call';
  return first(
    fieldIs(reply, 'count', proposal.args.count, hint),
    fieldIs(reply, 'aspect_ratio', proposal.args.shape, hint),
    fieldIs(reply, 'board_id', proposal.args.board, hint),
  );
}

/** With this change on the second call what was confirmed runs; a refusal counts where a proposal would be refused too. */
function changed(requirement: RequirementId, changeOf: (t: Context, args: Args) => Args | Promise<Args>) {
  return check({
    requirement,
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      const change = await changeOf(t, (await controlProposed(t)).args);
      const { proposal, reply } = await proposeAndConfirm(t, `confirmed with other ${Object.keys(change)}`, change);
      if (isRefusal(reply) && (await proposalRefused(t, change))) {
        t.cannot(`${brief(change)} is refused on the first call too, so it says nothing on the second`);
      }
      t.expect(dispatches(reply) ?? original(proposal, reply));
    },
  });
}

/** A way for an id to be worth nothing: presented by `primary`, in its workspace, with a board of it. */
interface Worthless {
  name: string;
  needs: Needs;
  /** The call that presents the id; `fresh` sends it anew. */
  present(t: Context): Promise<(fresh: boolean) => Promise<Answered>>;
}

const neverIssued: Worthless = {
  name: 'an id that was never issued',
  needs: proposes,
  async present(t) {
    const { args, id } = await controlProposed(t);
    const call = () => t.call(tool, { ...args, confirmation_id: neverIssuedId(id) });
    const answer = await t.once('never issued', call);
    return async (fresh) => (fresh ? call() : answer);
  },
};

const used: Worthless = {
  name: 'a used id',
  needs: spends,
  async present(t) {
    const { proposal } = await controlConfirmed(t);
    const { args } = await controlProposed(t);
    const answer = await t.once('used', () => confirm(t, args, proposal.id));
    return async (fresh) => (fresh ? confirm(t, args, proposal.id) : answer);
  },
};

const ofOtherWorkspace: Worthless = {
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

const ofOtherAccount: Worthless = {
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

const expired: Worthless = {
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

function invalid(requirement: RequirementId, worthless: Worthless) {
  return check({
    requirement,
    needs: worthless.needs,
    async run(t) {
      const present = await worthless.present(t);
      t.expect(refuses(await present(false), code, `${worthless.name} confirms nothing, and is told so by this code`));
    },
  });
}

/** The whole answer but for the id itself, which a message may repeat. */
function wholeAnswer(exchange: Answered): Parts {
  const id = exchange.request.args?.confirmation_id;
  const masked = (text: string) => (typeof id === 'string' && id !== '' ? text.replaceAll(id, '(the id)') : text);
  return new Map([...memberParts(exchange, masked), ...headerParts(exchange)]);
}

function likeNeverIssued(requirement: RequirementId, worthless: Worthless) {
  return check({
    requirement,
    needs: worthless.needs,
    async run(t) {
      const [reference, other] = [await neverIssued.present(t), await worthless.present(t)];
      const both = await Promise.all([reference(false), other(false)]);
      // Another code is told by the requirement which asks for this one.
      if (!both.every((answer) => isRefusal(answer, code))) t.cannot('one of the two is not confirmation_invalid');
      t.expect(
        await toldApart(
          t,
          { name: neverIssued.name, ask: reference },
          { name: worthless.name, ask: other },
          wholeAnswer,
          "one answer for every id that confirms nothing: why it does not is nobody else's business",
        ),
      );
    },
  });
}

export const confirmations = [
  check({
    requirement: 'confirmations.dispatched',
    needs: spends,
    async run(t) {
      t.expect(dispatches((await confirmed(t)).reply));
    },
  }),
  everyDispatch('confirmations.run-id', (exchange) =>
    fieldIsText(exchange, 'run_id', 'the id of the run that was started'),
  ),
  check({
    requirement: 'confirmations.run-id-new',
    needs: spends,
    async run(t) {
      const one = await controlConfirmed(t);
      const two = await t.once('recovered', () => proposeAndConfirm(t, 'after confirmation_invalid'));
      const replies = [one.reply, two.reply].filter(
        (reply) => isDispatch(reply) && typeof body(reply).run_id === 'string',
      );
      if (replies.length < 2) t.cannot('fewer than two confirmations dispatched and told their run');
      t.expect(allDifferent(replies, 'run_id', 'each dispatch starts a run of its own'));
    },
  }),
  everyDispatch('confirmations.confirmation-id-null', (exchange) =>
    fieldIs(exchange, 'confirmation_id', null, 'the id is used up: send null, neither the id nor no field'),
  ),
  everyDispatch('confirmations.request-summary-null', (exchange) =>
    fieldIs(exchange, 'request_summary', null, 'there is nothing left to approve: send null'),
  ),
  check({
    requirement: 'confirmations.reply-as-confirmed',
    needs: spends,
    async run(t) {
      const { proposal, reply } = await controlConfirmed(t);
      t.expect(original(proposal, reply));
    },
  }),
  changed('confirmations.changed-count', (_, args) => ({ count: Number(args.count) + 1 })),
  changed('confirmations.changed-shape', async (t, args) => ({ shape: await offeredShape(t, args) })),
  check({
    requirement: 'confirmations.changed-board',
    needs: { ...spends, settings: ['board', 'otherBoard'] },
    async run(t) {
      await controlConfirmed(t);
      const change = { board: t.setting('otherBoard') };
      const { proposal, reply } = await proposeAndConfirm(t, 'confirmed with another board', change);
      // A board that is not in the workspace may be refused first; it must not be used.
      if (isRefusal(reply)) return;
      t.expect(dispatches(reply) ?? original(proposal, reply));
    },
  }),
  invalid('confirmations.used-invalid', used),
  check({
    requirement: 'confirmations.used-stays-invalid',
    needs: spends,
    async run(t) {
      const present = await used.present(t);
      await present(false);
      for (let time = 0; time < 2; time += 1) {
        t.expect(refuses(await present(true), code, 'an id that was used once is used for good'));
      }
    },
  }),
  invalid('confirmations.never-issued-invalid', neverIssued),
  invalid('confirmations.other-workspace-invalid', ofOtherWorkspace),
  invalid('confirmations.other-account-invalid', ofOtherAccount),
  invalid('confirmations.expired-invalid', expired),
  likeNeverIssued('confirmations.used-like-never-issued', used),
  likeNeverIssued('confirmations.other-workspace-like-never-issued', ofOtherWorkspace),
  likeNeverIssued('confirmations.other-account-like-never-issued', ofOtherAccount),
  likeNeverIssued('confirmations.expired-like-never-issued', expired),
  check({
    requirement: 'confirmations.recovery',
    needs: spends,
    async run(t) {
      await controlConfirmed(t);
      const refused = await (await used.present(t))(false);
      if (!isRefusal(refused, code)) t.cannot('no answer confirmation_invalid to recover from');
      const { reply } = await t.once('recovered', () => proposeAndConfirm(t, 'after confirmation_invalid'));
      t.expect(dispatches(reply));
    },
  }),
  rule({
    requirement: 'confirmations.message-tells-lifetime',
    needs: proposes,
    applies: (exchange) => isRefusal(exchange, code),
    verdict: (exchange) =>
      /\b30\b|thirty/i.test(String(body(exchange).message))
        ? undefined
        : {
            expected: 'a message that mentions about 30 minutes',
            actual: `message ${brief(body(exchange).message)}`,
            hint: 'people learn from it why their approval came too late',
            exchanges: [exchange],
          },
    exercise: async (t) => [await (await neverIssued.present(t))(false)],
  }),
];
