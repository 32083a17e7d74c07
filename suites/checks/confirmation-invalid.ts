import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import { type Answered, body, isRefusal } from '../exchange.ts';
import { refuses } from '../expect/answers.ts';
import { headerParts, memberParts, type Parts } from '../expect/same.ts';
import { brief } from '../json.ts';
import { rule } from '../rule.ts';
import { toldApart } from '../scenes/apart.ts';
import { controlConfirmed, dispatches, proposeAndConfirm, proposes, spends } from '../scenes/images.ts';
import {
  expired,
  neverIssued,
  ofOtherAccount,
  ofOtherWorkspace,
  used,
  type Worthless,
} from '../scenes/worthless-ids.ts';

const code = 'confirmation_invalid';

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

/** What is answered to ids that confirm nothing. */
export const confirmationInvalid = [
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
