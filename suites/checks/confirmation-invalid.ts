import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import { type Answered, body, isRefusal } from '../exchange.ts';
import { describeAnswer, refuses } from '../expect/answers.ts';
import { headerParts, memberParts, type Parts } from '../expect/same.ts';
import { withoutIds } from '../expect/without-ids.ts';
import type { Finding } from '../finding.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { toldApart } from '../scenes/apart.ts';
import { askedForMore, controlConfirmed, recovered, usedAgain } from '../scenes/confirming.ts';
import {
  briefOf,
  confirm,
  creditsSuffice,
  dispatches,
  isDispatch,
  isProposal,
  proposed,
  proposes,
  spends,
} from '../scenes/images.ts';
import { otherCase } from '../scenes/issued-ids.ts';
import { aged } from '../scenes/passing-time.ts';
import {
  expired,
  neverIssued,
  ofAnotherForm,
  ofOtherAccount,
  ofOtherWorkspace,
  used,
  type Worthless,
} from '../scenes/worthless-ids.ts';

const code = 'confirmation_invalid';

const usedHint = 'an id that was used once is used for good: for any request, and as long as it would have lived';

/** Nothing is dispatched for a used id presented in this way, however that is refused. */
function undispatched(answer: Answered, how: string): Finding | undefined {
  if (!isDispatch(answer)) return undefined;
  return {
    expected: `no dispatch for a used id presented ${how}`,
    actual: describeAnswer(answer),
    hint: 'keep in one place that an id is used, and find used ids in the same way as those that wait',
    exchanges: [answer],
  };
}

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

/** The whole answer but for the ids that were presented, which a message may repeat. */
function wholeAnswer(exchange: Answered, other: Answered): Parts {
  const without = withoutIds(presentedIn(exchange), presentedIn(other));
  return new Map([...memberParts(exchange, without), ...headerParts(exchange)]);
}

function presentedIn({ request }: Answered): string {
  const id = request.args?.confirmation_id;
  return typeof id === 'string' ? id : '';
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

/** What is answered to ids that confirm nothing. */
export const confirmationInvalid = [
  invalid('confirmations.used-invalid', used),
  check({
    requirement: 'confirmations.used-stays-invalid',
    title: 'A used id stays invalid, whatever it is presented with.',
    needs: spends,
    async run(t) {
      const { args, id } = (await controlConfirmed(t)).proposal;
      await usedAgain(t);
      const more = await askedForMore(t);
      const others = [
        ...(isProposal(more.answer) ? [more.args] : []),
        { ...args, brief: briefOf(t, 'something else') },
      ];
      for (const other of others) t.expect(refuses(await confirm(t, other, id), code, usedHint));
      // To whom upper and lower case are one, it is the used id; to others it was never issued.
      t.expect(undispatched(await confirm(t, args, otherCase(id)), 'in other case'));
      const another = (['defaulted', 'ambiguous', 'throttled'] as const).find((as) => t.has(as));
      if (another !== undefined) t.expect(undispatched(await confirm(t, args, id, { as: another }), 'by another key'));
    },
  }),
  check({
    requirement: 'confirmations.used-stays-invalid',
    title: 'A used id stays invalid as time passes.',
    needs: { ...spends, time: true, alone: 'clock' },
    async run(t) {
      await controlConfirmed(t);
      const { usedBefore } = await aged(t);
      t.expect(refuses(usedBefore ?? t.cannot('nothing had been confirmed'), code, usedHint));
    },
  }),
  invalid('confirmations.never-issued-invalid', neverIssued),
  check({
    requirement: 'confirmations.never-issued-invalid',
    title: 'An id that looks like none that was issued.',
    needs: proposes,
    async run(t) {
      const answer = await ofAnotherForm(t);
      const hint =
        'an id is looked up as it is: one of another form was never issued either, and is told so by this code';
      t.expect(refuses(answer, code, hint));
    },
  }),
  invalid('confirmations.other-workspace-invalid', ofOtherWorkspace),
  invalid('confirmations.other-account-invalid', ofOtherAccount),
  invalid('confirmations.expired-invalid', expired),
  likeNeverIssued('confirmations.used-like-never-issued', used),
  likeNeverIssued('confirmations.other-workspace-like-never-issued', ofOtherWorkspace),
  likeNeverIssued('confirmations.other-account-like-never-issued', ofOtherAccount),
  likeNeverIssued('confirmations.expired-like-never-issued', expired),
  check({
    requirement: 'confirmations.recovery',
    title: 'A used request can be proposed and confirmed anew.',
    needs: spends,
    async run(t) {
      if (!isRefusal(await usedAgain(t), code)) t.cannot('no answer confirmation_invalid to recover from');
      const tried = await recovered(t);
      for (const { reply } of tried.slice(-1)) t.expect(dispatches(reply));
    },
  }),
  check({
    requirement: 'confirmations.recovery',
    title: 'An expired request can be proposed anew.',
    needs: expired.needs,
    async run(t) {
      const refused = await (await expired.present(t))(false);
      if (!isRefusal(refused, code)) t.cannot('no answer confirmation_invalid to recover from');
      const { old } = await aged(t);
      const answer = await t.call('images.generate', old.args);
      creditsSuffice(t, answer);
      t.expect(proposed(answer));
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
