import type { Hand } from '../stub/hand.ts';
import { after, type Case, of } from './case.ts';

const limited = { retryAfterSeconds: 9 };
const read: [string, object] = ['schedule.read', {}];
const balance: [string, object] = ['credits.balance', {}];
const balanceOfSole: [string, object, object] = [...balance, { role: 'sole' }];
const create: [string, object] = ['content.create_request', { format: 'posts', day: '2030-01-02' }];
const nowhere = { board: 'brd_none' };
const locked = { tool: 'schedule.read', code: 'schedule_locked' } as const;

/** Loses a confirmation, sends it again, and proposes the same request. Returns the new ID. */
async function proposedAfterLoss({ propose, confirm, stub }: Hand) {
  stub.faults.add({ confirming: true, drop: 'after' });
  const id = await propose();
  await confirm(id);
  await confirm(id);
  return propose();
}

/** Loses a confirmation, looks what there is, and proposes and confirms anew. */
const confirmedAfterLoss =
  (drop: 'before' | 'after', ...look: [string, object][]) =>
  async ({ propose, confirm, send, stub }: Hand) => {
    stub.faults.add({ confirming: true, drop });
    await confirm(await propose());
    for (const sent of look) await send(...sent);
    await confirm(await propose());
  };

export const waitingCases: readonly Case[] = [
  ...of('client-limits.retry-after', {
    'a call after the wait': [after(limited, read, read, 9), 'passed'],
    'a call within the wait, of another tool': [after(limited, read, balance, 8.9), ['failed', [2, 4]]],
    'a wait that is counted from the receipt of an answer that came late': [
      (hand) => {
        hand.stub.clock.freeze();
        return after({ retryAfterSeconds: 1, latencyMs: 20 }, read, read, 0.99)(hand);
      },
      ['failed', [3, 5]],
    ],
    'calls that were under way together': [
      ({ send, stub }) => {
        stub.faults.add(limited);
        return Promise.all(Array.from({ length: 8 }, () => send(...read)));
      },
      'passed',
    ],
  }),
  ...of('client-limits.no-other-key', {
    'another key of the account for the same call': [after(limited, balance, balanceOfSole), ['warned', [2, 3]]],
    'a key of another account for it': [after(limited, balance, [...balance, { role: 'otherAccount' }]), 'passed'],
    'another key for it, once the wait is over': [after(limited, balance, balanceOfSole, 9), 'passed'],
    'another key for its own work': [after(limited, balance, [...read, { role: 'sole' }]), 'passed'],
  }),
  ...of('client-retries.only-what-may-help', {
    'a refused call again': [
      async ({ propose }) => {
        await propose(nowhere);
        await propose(nowhere);
      },
      ['failed', [1, 2]],
    ],
    'a refused call again, after something was changed from outside': [
      async ({ send, stub }) => {
        stub.switch('primary', { key: 'revoked' });
        await send(...balance);
        stub.switch('primary', { key: 'live' });
        await send(...balance);
      },
      'passed',
    ],
    'a refused call again, with success: something has changed': [after(locked, read), 'passed'],
    'a call again that was refused with an unknown code': [after({ ...locked, times: 2 }, read), ['failed', [2, 3]]],
    'a refused call twice at once': [({ propose }) => Promise.all([propose(nowhere), propose(nowhere)]), 'passed'],
  }),
  ...of('client-retries.no-blind-repeat', {
    'a lost request for content again': [after({ drop: 'after' }, create), ['warned', [2, 3]]],
    'a lost request for content again, after a look at what there is': [
      async ({ send, stub }) => {
        stub.faults.add({ drop: 'before' });
        await send(...create);
        await send('content.status', {});
        await send(...create);
      },
      'passed',
    ],
    'a lost reading call again': [after({ drop: 'after' }, read), 'not-tested'],
    'a lost confirmation, proposed and confirmed anew': [confirmedAfterLoss('after'), ['warned', [3, 5]]],
    'a lost confirmation, sent again, and proposed and confirmed anew after confirmation_invalid': [
      async (hand) => {
        const fresh = await proposedAfterLoss(hand);
        hand.stub.advance(5);
        await hand.confirm(fresh);
      },
      ['warned', [3, 7]],
    ],
    'a lost confirmation, sent again, and proposed anew and approved after confirmation_invalid': [
      async (hand) => {
        const fresh = await proposedAfterLoss(hand);
        hand.stub.person.approve(fresh);
        await hand.confirm(fresh);
      },
      'passed',
    ],
    'a lost confirmation, proposed and confirmed anew after a look at the library': [
      confirmedAfterLoss('before', ['library.search', { query: '' }]),
      'passed',
    ],
    'a lost confirmation, proposed and confirmed anew after a look at the balance': [
      confirmedAfterLoss('before', balance),
      'passed',
    ],
  }),
];
