import type { Hand } from '../stub/hand.ts';
import type { Case } from './case.ts';

const create = { format: 'posts', day: '2030-01-02' };

/** Loses a confirmation, sends it again, and proposes the same request. Returns the new ID. */
async function proposedAfterLoss({ propose, confirm, stub }: Hand) {
  stub.faults.add({ confirming: true, drop: 'after' });
  const id = await propose();
  await confirm(id);
  await confirm(id);
  return propose();
}

/** Loses a confirmation, looks what there is, and proposes and confirms anew. */
const confirmedAfterLook =
  (tool: string, args: object) =>
  async ({ propose, confirm, send, stub }: Hand) => {
    stub.faults.add({ confirming: true, drop: 'before' });
    await confirm(await propose());
    await send(tool, args);
    await confirm(await propose());
  };

export const waitingCases: readonly Case[] = [
  [
    'a call after the wait',
    'client-limits.retry-after',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('schedule.read', {});
      stub.advance(9);
      await send('schedule.read', {});
    },
    'passed',
  ],
  [
    'a call within the wait, of another tool',
    'client-limits.retry-after',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('schedule.read', {});
      stub.advance(8.9);
      await send('credits.balance', {});
    },
    ['failed', [2, 4]],
  ],
  [
    'a wait that is counted from the receipt of an answer that came late',
    'client-limits.retry-after',
    async ({ send, stub }) => {
      stub.clock.freeze();
      stub.faults.add({ retryAfterSeconds: 1, latencyMs: 20 });
      await send('schedule.read', {});
      stub.advance(0.99);
      await send('schedule.read', {});
    },
    ['failed', [3, 5]],
  ],
  [
    'calls that were under way together',
    'client-limits.retry-after',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await Promise.all(Array.from({ length: 8 }, () => send('schedule.read', {})));
    },
    'passed',
  ],
  [
    'another key of the account for the same call',
    'client-limits.no-other-key',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('credits.balance', {});
      await send('credits.balance', {}, { role: 'sole' });
    },
    ['warned', [2, 3]],
  ],
  [
    'a key of another account for the same call',
    'client-limits.no-other-key',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('credits.balance', {});
      await send('credits.balance', {}, { role: 'otherAccount' });
    },
    'passed',
  ],
  [
    'another key of the account for the same call, once the wait is over',
    'client-limits.no-other-key',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('credits.balance', {});
      stub.advance(9);
      await send('credits.balance', {}, { role: 'sole' });
    },
    'passed',
  ],
  [
    'another key for its own work',
    'client-limits.no-other-key',
    async ({ send, stub }) => {
      stub.faults.add({ retryAfterSeconds: 9 });
      await send('credits.balance', {});
      await send('schedule.read', {}, { role: 'sole' });
    },
    'passed',
  ],
  [
    'a refused call again',
    'client-retries.only-what-may-help',
    async ({ propose }) => {
      await propose({ board: 'brd_none' });
      await propose({ board: 'brd_none' });
    },
    ['failed', [1, 2]],
  ],
  [
    'a refused call again, after something was changed from outside',
    'client-retries.only-what-may-help',
    async ({ send, stub }) => {
      stub.switch('primary', { key: 'revoked' });
      await send('credits.balance', {});
      stub.switch('primary', { key: 'live' });
      await send('credits.balance', {});
    },
    'passed',
  ],
  [
    'a refused call again, with success: something has changed',
    'client-retries.only-what-may-help',
    async ({ send, stub }) => {
      stub.faults.add({ tool: 'schedule.read', code: 'schedule_locked' });
      await send('schedule.read', {});
      await send('schedule.read', {});
    },
    'passed',
  ],
  [
    'a call that was refused with a code that is not shown, again',
    'client-retries.only-what-may-help',
    async ({ send, stub }) => {
      stub.faults.add({ tool: 'schedule.read', code: 'schedule_locked', times: 2 });
      await send('schedule.read', {});
      await send('schedule.read', {});
    },
    ['failed', [2, 3]],
  ],
  [
    'the same refused call twice at once',
    'client-retries.only-what-may-help',
    ({ propose }) => Promise.all([propose({ board: 'brd_none' }), propose({ board: 'brd_none' })]),
    'passed',
  ],
  [
    'a lost request for content again',
    'client-retries.no-blind-repeat',
    async ({ send, stub }) => {
      stub.faults.add({ drop: 'after' });
      await send('content.create_request', create);
      await send('content.create_request', create);
    },
    ['warned', [2, 3]],
  ],
  [
    'a lost request for content again, after a look at what there is',
    'client-retries.no-blind-repeat',
    async ({ send, stub }) => {
      stub.faults.add({ drop: 'before' });
      await send('content.create_request', create);
      await send('content.status', {});
      await send('content.create_request', create);
    },
    'passed',
  ],
  [
    'a lost reading call again',
    'client-retries.no-blind-repeat',
    async ({ send, stub }) => {
      stub.faults.add({ drop: 'after' });
      await send('schedule.read', {});
      await send('schedule.read', {});
    },
    'not-tested',
  ],
  [
    'a lost confirmation, proposed and confirmed anew',
    'client-retries.no-blind-repeat',
    async ({ propose, confirm, stub }) => {
      stub.faults.add({ confirming: true, drop: 'after' });
      await confirm(await propose());
      await confirm(await propose());
    },
    ['warned', [3, 5]],
  ],
  [
    'a lost confirmation, sent again, and proposed and confirmed anew after confirmation_invalid',
    'client-retries.no-blind-repeat',
    async (hand) => {
      const fresh = await proposedAfterLoss(hand);
      hand.stub.advance(5);
      await hand.confirm(fresh);
    },
    ['warned', [3, 7]],
  ],
  [
    'a lost confirmation, sent again, and proposed anew and approved after confirmation_invalid',
    'client-retries.no-blind-repeat',
    async (hand) => {
      const fresh = await proposedAfterLoss(hand);
      hand.stub.person.approve(fresh);
      await hand.confirm(fresh);
    },
    'passed',
  ],
  [
    'a lost confirmation, proposed and confirmed anew after a look at the library',
    'client-retries.no-blind-repeat',
    confirmedAfterLook('library.search', { query: '' }),
    'passed',
  ],
  [
    'a lost confirmation, proposed and confirmed anew after a look at the balance',
    'client-retries.no-blind-repeat',
    confirmedAfterLook('credits.balance', {}),
    'passed',
  ],
];
