import { check } from '../check.ts';
import { succeeds } from '../expect/answers.ts';
import { fieldFits } from '../expect/fields.ts';
import { balance } from '../scenes/credits.ts';
import { everyResultOf } from '../scenes/results.ts';

const tool = 'credits.balance';

/** How often two keys' balances are compared before they count as different: others may spend meanwhile. */
const looks = 3;

export const credits = [
  {
    ...everyResultOf(tool, async (t) => [await t.call(tool, {})])('credits.balance', (exchange) =>
      fieldFits(exchange, 'CreditsBalanceResult', 'balance', 'a number, not a text with one in it'),
    ),
    async run(t) {
      t.expect(succeeds(await t.call(tool, {}), 'credits.balance needs no arguments and no workspace'));
    },
  } satisfies ReturnType<ReturnType<typeof everyResultOf>>,
  check({
    requirement: 'credits.needs-no-workspace',
    needs: { roles: ['ambiguous'] },
    async run(t) {
      const answers = await Promise.all([
        t.call(tool, {}, { as: 'ambiguous' }),
        t.call(tool, undefined, { as: 'ambiguous' }),
      ]);
      for (const answer of answers) {
        t.expect(succeeds(answer, 'credits belong to the account: resolve no workspace for this tool'));
      }
    },
  }),
  check({
    requirement: 'credits.one-balance',
    needs: { roles: ['primary', 'throttled'], alone: 'balance' },
    async run(t) {
      for (let look = 1; ; look += 1) {
        const before = await balance(t);
        const other = await balance(t, 'throttled');
        const after = await balance(t);
        // Where the first key's own balance moved meanwhile, somebody is spending and nothing can be said.
        const steady = before.value === after.value;
        if (other.value === before.value || other.value === after.value) return;
        if (look < looks) continue;
        if (!steady) t.cannot('the balance keeps changing: somebody else is spending');
        t.expect({
          expected: `the balance that the key in the role 'primary' reads: ${before.value}`,
          actual: `${other.value} for the key in the role 'throttled', of the same account`,
          hint: 'look the balance up by account, not by key or workspace',
          exchanges: [before.answer, other.answer],
        });
        return;
      }
    },
  }),
];
