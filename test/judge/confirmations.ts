import { limits } from '../../fixtures/contract/limits.ts';
import type { Case } from './case.ts';

export const confirmationCases: readonly Case[] = [
  [
    'a confirmation that was approved',
    'client-confirmations.approved',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.person.approve(id);
      await confirm(id);
    },
    'passed',
  ],
  [
    'one that was not, and one that was denied after all',
    'client-confirmations.approved',
    async ({ propose, confirm, stub }) => {
      const [one, two] = [await propose(), await propose()];
      stub.person.approve(two);
      stub.person.deny(two);
      await confirm(one);
      await confirm(two);
    },
    ['failed', [1, 5], [2, 6]],
  ],
  [
    'a confirmation where nobody is seen, after a while',
    'client-confirmations.time-to-read',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.advance(5);
      await confirm(id);
    },
    'passed',
  ],
  [
    'a confirmation at once',
    'client-confirmations.time-to-read',
    async ({ propose, confirm }) => confirm(await propose()),
    ['warned', [1, 2]],
  ],
  [
    'the request that was proposed, its members in another order',
    'client-confirmations.same-request',
    async ({ propose, send, request: { board, ...rest } }) =>
      send('images.generate', { confirmation_id: await propose(), ...rest, board }),
    'passed',
  ],
  [
    'the request that was proposed, and the workspace that the answer named',
    'client-confirmations.same-request',
    async ({ send, request }) => {
      const { confirmation_id, workspace } = await send('images.generate', request);
      await send('images.generate', { ...request, workspace, confirmation_id });
    },
    'passed',
  ],
  [
    'the request that was proposed, for another workspace',
    'client-confirmations.same-request',
    async ({ propose, confirm }) => confirm(await propose(), { workspace: 'south' }),
    ['failed', [1, 2]],
  ],
  [
    'a larger one',
    'client-confirmations.same-request',
    async ({ propose, confirm }) => confirm(await propose(), { count: 3 }),
    ['failed', [1, 2]],
  ],
  [
    'an id as it was given',
    'client-confirmations.id-as-given',
    async ({ propose, confirm }) => confirm(await propose()),
    'passed',
  ],
  [
    'an id in upper case',
    'client-confirmations.id-as-given',
    async ({ propose, confirm }) => confirm((await propose()).toUpperCase()),
    ['failed', [1, 2]],
  ],
  [
    'an id in upper case, which is no refusal taken for a result',
    'client-outcomes.ok-decides',
    async ({ propose, confirm }) => {
      await propose({ board: 'brd_none' });
      await confirm((await propose()).toUpperCase());
    },
    'not-tested',
  ],
  [
    'an id that is sent twice',
    'client-confirmations.once',
    async ({ propose, confirm }) => {
      const id = await propose();
      await Promise.all([confirm(id), confirm(id)]);
    },
    ['failed', [2, 3]],
  ],
  [
    'an id that is sent again after its answer was lost',
    'client-confirmations.once',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.faults.add({ drop: 'before' });
      await confirm(id);
      await confirm(id);
    },
    'passed',
  ],
  [
    'two confirmations at the same time',
    'client-confirmations.one-at-a-time',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.faults.add({ latencyMs: 60 }, { latencyMs: 60 });
      await Promise.all([confirm(id), confirm(id)]);
    },
    ['failed', [4, 5]],
  ],
  [
    'confirmations of two proposals at the same time',
    'client-confirmations.one-at-a-time',
    async ({ propose, confirm, stub }) => {
      const ids = [await propose(), await propose({ brief: 'another cup' })];
      stub.faults.add({ latencyMs: 60 }, { latencyMs: 60 });
      await Promise.all([confirm(ids[0]), confirm(ids[1], { brief: 'another cup' })]);
    },
    'passed',
  ],
  [
    'a confirmation again while the lost one is under way',
    'client-confirmations.one-at-a-time',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.faults.add({ latencyMs: 60, drop: 'before' });
      await Promise.all([confirm(id), confirm(id)]);
    },
    'passed',
  ],
  [
    'a fresh proposal after confirmation_invalid',
    'client-confirmations.fresh-proposal',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.advance(3600);
      await confirm(id);
      await confirm(await propose());
    },
    'passed',
  ],
  [
    'the same id again',
    'client-confirmations.fresh-proposal',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.expireProposals();
      await confirm(id);
      await confirm(id);
    },
    ['failed', [3, 4]],
  ],
  [
    'an old proposal',
    'client-confirmations.in-time',
    async ({ propose, confirm, stub }) => {
      const id = await propose();
      stub.advance(limits.confirmation.about * 60);
      await confirm(id);
    },
    ['warned', [1, 3]],
  ],
];
