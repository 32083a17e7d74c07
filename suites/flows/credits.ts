import type { Role } from '../../fixtures/roles.ts';
import { body, type Completed } from '../history/exchange.ts';
import { timesToCount } from '../rules/finding.ts';
import { quietTimes } from '../rules/quiet-control.ts';
import { flow } from './flow.ts';
import { briefFor, proposing } from './images.ts';
import type { Args, Asked, Steps } from './steps.ts';

const balance: Asked = { tool: 'credits.balance', args: {} };

/** Every key of the account reads its balance. */
export const balances = flow(
  'balances',
  {
    lane: 'balances',
    witnesses: ['credits.balance', 'credits.needs-no-workspace', 'credits.one-balance'],
  },
  async (t) => {
    await t.send('read the balance', balance);
    if (t.has('ambiguous')) {
      await t.send('read it with a key that reaches several workspaces', { ...balance, as: 'ambiguous' });
      await t.send('read it so without a body', { tool: 'credits.balance', as: 'ambiguous' });
    }
    await reachSameWorkspaces(t);
    // The last key is kept for after images were confirmed: it cannot have cached what it never read.
    const roles = colleagues.filter((role) => t.has(role));
    await compareBalances(t, t.target.allow.includes('spending') && roles.length > 1 ? roles.slice(0, -1) : roles);
  },
);

const colleagues = ['throttled', 'ambiguous', 'pinned', 'defaulted', 'sole'] as const;

/** Keys that get results of a workspace that `primary` reaches are of its account. */
async function reachSameWorkspaces(t: Steps): Promise<void> {
  const slugs = new Set<unknown>();
  for (const as of colleagues.filter((role) => role !== 'throttled' && t.has(role))) {
    const { workspace, workspaces } = body(await t.send(`read as ${as}`, { tool: 'schedule.read', args: {}, as }));
    const [listed] = Array.isArray(workspaces) ? workspaces : [];
    if (typeof listed === 'string') {
      await t.send(`read as ${as}, in a workspace that is listed`, {
        tool: 'schedule.read',
        args: { workspace: listed },
        as,
      });
    }
    slugs.add(workspace ?? listed);
  }
  for (const workspace of slugs) {
    if (typeof workspace !== 'string' || workspace === t.known.otherAccountWorkspace) continue;
    await t.send('read there as primary', { tool: 'schedule.read', args: { workspace } });
  }
}

/** Reads the balance with `primary`, with the others and with `primary` again; anew where they differ. */
export async function compareBalances(
  t: Steps,
  roles: readonly Role[] = colleagues.filter((role) => t.has(role)),
): Promise<void> {
  if (roles.length === 0)
    return t.cannot("no other key of the account of 'primary'", { kind: 'role', role: 'throttled' });
  // Whose balance is another one: at the same moment, so that one response that tells that of another key shows.
  const strangers = (['otherAccount'] as const).filter((role) => t.has(role));
  for (let again = 1; again <= timesToCount; again += 1) {
    const before = await t.send('read the balance before', balance);
    const others = await t.sendAll(
      'read it with other keys',
      [...roles, ...strangers].map((as) => ({ ...balance, as })),
    );
    const after = await t.send('read the balance after', balance);
    const ours = [...others.slice(0, roles.length), after];
    if (ours.every((each) => balanceIn(each) === balanceIn(before))) return;
  }
}

const balanceIn = (exchange: Completed) => body(exchange).balance;

/** The balance is read before and after a proposal; anew where it changed. */
export const proposalsCostNothing = flow(
  'proposals cost nothing',
  {
    lane: 'balances',
    needs: { effects: ['proposals'], settings: ['board'] },
    uses: ['proposal'],
    witnesses: ['image-proposals.spends-nothing'],
  },
  async (t) => {
    await t.part(() => costsNothing(t, 'primary', {}));
    const { otherAccountWorkspace: workspace, otherAccountBoard: board } = t.known;
    if (t.has('otherAccount') && board !== undefined) await costsNothing(t, 'otherAccount', { workspace, board });
  },
);

/** Proposes with a key, more often with the one that most requests use: a server may charge for some proposals only. */
async function costsNothing(t: Steps, as: Role, place: Args): Promise<void> {
  const request = (change: Args) => ({ ...proposing(t, { ...place, ...change }), as });
  const brief = briefFor(t, 'to compare balances');
  const count = Number(t.proposal().count);
  // Readings of other flows may fall between the proposals, so that a round counts for nothing.
  for (let again = 1; again <= timesToCount + 2; again += 1) {
    const before = await t.send('read the balance', { ...balance, as });
    for (const more of [1, 3]) await t.send('propose more images', request({ count: count + more, brief }));
    for (let times = 1; times <= (as === 'primary' ? 3 : 0); times += 1) await t.send('propose', request({ brief }));
    const after = await t.send('read the balance again', { ...balance, as });
    if (balanceIn(before) === balanceIn(after) || !(await staysTheSame(t, as, before, after, again))) return;
  }
}

const quietReadings = 12;

/**
 * Whether the balance stays the same without proposals, for longer than it took to change. Every wait has another
 * length, so that no client that spends at regular intervals keeps step with the proposals.
 */
async function staysTheSame(t: Steps, as: Role, before: Completed, after: Completed, again: number): Promise<boolean> {
  const tookMs = after.receivedAt - before.receivedAt;
  await t.waitOut((again * quietTimes * tookMs) / 1000, 'another client may have changed the balance');
  for (let times = 1; times <= quietReadings; times += 1) {
    const now = await t.send('read the balance while nothing is sent', { ...balance, as });
    if (balanceIn(now) !== balanceIn(after)) return false;
  }
  return true;
}
