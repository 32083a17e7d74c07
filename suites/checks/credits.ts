import type { Role } from '../../fixtures/roles.ts';
import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, body, isSuccess } from '../exchange.ts';
import { succeeds } from '../expect/answers.ts';
import { fieldFits } from '../expect/fields.ts';
import { brief } from '../json.ts';
import { controlConfirmed } from '../scenes/confirming.ts';
import { balance } from '../scenes/credits.ts';
import { spends } from '../scenes/images.ts';
import { everyResultOf } from '../scenes/results.ts';

const tool = 'credits.balance';

/** How often two keys' balances are compared before they count as different: others may spend meanwhile. */
const looks = 3;

/** Keys of `primary`'s account: the one that is by its role, and those whose workspace it reaches too. */
async function colleagues(t: Context): Promise<Role[]> {
  const { otherAccountWorkspace: theirs } = t.ground;
  const own = async (as: Role) => {
    const { workspace, workspaces = [] } = body(await t.call('schedule.read', {}, { as }));
    const slugs = [workspace, ...(Array.isArray(workspaces) ? workspaces : [])];
    const slug = slugs.find((each) => typeof each === 'string' && each !== theirs);
    if (slug === undefined) return [];
    return body(await t.call('schedule.read', { workspace: slug })).workspace === slug ? [as] : [];
  };
  const candidates = (['ambiguous', 'pinned', 'defaulted', 'sole'] as const).filter((as) => t.has(as));
  const throttled: Role[] = t.has('throttled') ? ['throttled'] : [];
  return [...throttled, ...(await Promise.all(candidates.map(own))).flat()];
}

const isBalance = (answer: Answered) => isSuccess(answer) && typeof body(answer).balance === 'number';

/** These keys read what `primary` reads. */
async function oneBalance(t: Context, others: readonly Role[]): Promise<void> {
  if (others.length === 0) t.cannot("no other key of the account of 'primary'", { kind: 'role', role: 'throttled' });
  let left = others;
  for (let look = 1; ; look += 1) {
    const before = await balance(t);
    const read = await Promise.all(left.map((as) => t.call(tool, {}, { as, fresh: true })));
    const after = await balance(t);
    const same: unknown[] = [before.value, after.value];
    // A key that is shown no number is for the requirements on that.
    const differing = read.filter((each) => isBalance(each) && !same.includes(body(each).balance));
    if (differing.length === 0) return;
    left = left.filter((_, index) => differing.some((each) => each === read[index]));
    if (look < looks) continue;
    // Where the first key's own balance moved meanwhile, somebody is spending and nothing can be said.
    if (before.value !== after.value) t.cannot('the balance keeps changing: somebody else is spending');
    for (const other of differing) {
      t.expect({
        expected: `the balance that the key in the role 'primary' reads: ${before.value}`,
        actual: `${brief(body(other).balance)} for the key in the role '${other.credential.role}', of the same account`,
        hint: 'look the balance up by account, not by key or workspace, and remember it for nobody',
        exchanges: [before.answer, other, after.answer],
      });
    }
    return;
  }
}

export const credits = [
  {
    ...everyResultOf(tool, async (t) => [await t.call(tool, {})])('credits.balance', (exchange) =>
      fieldFits(exchange, 'CreditsBalanceResult', 'balance', 'a number, not a text with one in it'),
    ),
    async run(t) {
      const hint = 'credits.balance needs no arguments and no workspace';
      t.expect(succeeds(await t.call(tool, {}), hint));
      if (t.has('otherAccount')) t.expect(succeeds(await t.call(tool, {}, { as: 'otherAccount' }), hint));
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
    title: 'Before anything was spent.',
    needs: { alone: 'balance' },
    async run(t) {
      const others = await colleagues(t);
      await oneBalance(t, t.allows('spending') ? others.filter((as) => as !== others.at(-1)) : others);
    },
  }),
  check({
    requirement: 'credits.one-balance',
    title: 'After images were confirmed.',
    needs: { ...spends, alone: 'clock' },
    async run(t) {
      await controlConfirmed(t);
      const [first, ...others] = await colleagues(t);
      // The last one has not been asked before, and so cannot tell what it remembers.
      await oneBalance(
        t,
        [...new Set([first, others.at(-1)])].filter((as) => as !== undefined),
      );
    },
  }),
];
