import { limits } from '../../fixtures/contract/limits.ts';
import type { Fault } from '../../stub/faults/fault.ts';
import type { Hand } from '../stub/hand.ts';
import { type Case, of } from './case.ts';

/** Confirms a proposal, after something happened to it. */
const confirmed =
  (meanwhile: (id: string, hand: Hand) => unknown = () => undefined, more: object = {}) =>
  async (hand: Hand) => {
    const id = await hand.propose();
    await meanwhile(id, hand);
    await hand.confirm(id, more);
  };

/** Confirms a proposal twice at the same time. */
const twice =
  (...faults: Fault[]) =>
  async ({ propose, confirm, stub }: Hand) => {
    const id = await propose();
    if (faults.length > 0) stub.faults.add(...faults);
    await Promise.all([confirm(id), confirm(id)]);
  };

const slow = { latencyMs: 60 };

export const confirmationCases: readonly Case[] = [
  ...of('client-confirmations.approved', {
    'a confirmation that was approved': [confirmed((id, { stub }) => stub.person.approve(id)), 'passed'],
    'one that was not, and one that was denied after all': [
      async ({ propose, confirm, stub }) => {
        const [one, two] = [await propose(), await propose()];
        stub.person.approve(two);
        stub.person.deny(two);
        await confirm(one);
        await confirm(two);
      },
      ['failed', [1, 5], [2, 6]],
    ],
  }),
  ...of('client-confirmations.time-to-read', {
    'a confirmation where nobody is seen, after a while': [confirmed((_, { stub }) => stub.advance(5)), 'passed'],
    'a confirmation at once': [confirmed(), ['warned', [1, 2]]],
  }),
  ...of('client-confirmations.same-request', {
    'the request that was proposed, its members in another order': [
      async ({ propose, send, request: { board, ...rest } }) =>
        send('images.generate', { confirmation_id: await propose(), ...rest, board }),
      'passed',
    ],
    'the request that was proposed, and the workspace that the answer named': [
      async ({ send, request }) => {
        const { confirmation_id, workspace } = await send('images.generate', request);
        await send('images.generate', { ...request, workspace, confirmation_id });
      },
      'passed',
    ],
    'the same request, for another workspace': [confirmed(undefined, { workspace: 'south' }), ['failed', [1, 2]]],
    'a larger one': [confirmed(undefined, { count: 3 }), ['failed', [1, 2]]],
  }),
  ...of('client-confirmations.id-as-given', {
    'an id as it was given': [confirmed(), 'passed'],
    'an id in capitals': [async ({ propose, confirm }) => confirm((await propose()).toUpperCase()), ['failed', [1, 2]]],
  }),
  ...of('client-outcomes.ok-decides', {
    'an id in upper case, which is no refusal taken for a result': [
      async ({ propose, confirm }) => {
        await propose({ board: 'brd_none' });
        await confirm((await propose()).toUpperCase());
      },
      'not-tested',
    ],
  }),
  ...of('client-confirmations.once', {
    'an id that is sent twice': [twice(), ['failed', [2, 3]]],
    'an id that is sent again after its answer was lost': [
      confirmed((id, { stub, confirm }) => {
        stub.faults.add({ drop: 'before' });
        return confirm(id);
      }),
      'passed',
    ],
  }),
  ...of('client-confirmations.one-at-a-time', {
    'two confirmations at the same time': [twice(slow, slow), ['failed', [4, 5]]],
    'confirmations of two proposals at the same time': [
      async ({ propose, confirm, stub }) => {
        const ids = [await propose(), await propose({ brief: 'another cup' })];
        stub.faults.add(slow, slow);
        await Promise.all([confirm(ids[0]), confirm(ids[1], { brief: 'another cup' })]);
      },
      'passed',
    ],
    'a confirmation again while the lost one is under way': [twice({ ...slow, drop: 'before' }), 'passed'],
  }),
  ...of('client-confirmations.fresh-proposal', {
    'a fresh proposal after confirmation_invalid': [
      async (hand) => {
        await confirmed((_, { stub }) => stub.advance(3600))(hand);
        await confirmed()(hand);
      },
      'passed',
    ],
    'the same id again': [
      confirmed((id, { stub, confirm }) => {
        stub.expireProposals();
        return confirm(id);
      }),
      ['failed', [3, 4]],
    ],
  }),
  ...of('client-confirmations.in-time', {
    'an old proposal': [confirmed((_, { stub }) => stub.advance(limits.confirmation.about * 60)), ['warned', [1, 3]]],
  }),
];
