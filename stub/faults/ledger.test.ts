import { expect, test } from 'vitest';
import { limits } from '../../fixtures/contract/limits.ts';
import type { Reply } from '../../test/stub/client.ts';
import { createStub } from '../index.ts';

/** Reactions of a client that lost the response to its confirmation, without asking its person again. */
const afterwards = [
  'gives up',
  'sends it again',
  'sends it five times at once',
  'sends it with other keys',
  'changes it',
  'waits',
  'proposes',
];

test.each(afterwards)(
  'a confirmation whose answer is dropped is one approval and one spend, when the client %s',
  async (what) => {
    await using stub = createStub();
    const { baseUrl } = await stub.listen();
    const send = async (args: object, role: 'primary' | 'defaulted' | 'otherAccount' = 'primary') => {
      const headers = { authorization: `Bearer ${stub.keys[role]}`, 'content-type': 'application/json' };
      const url = `${baseUrl}/api/v1/tools/images.generate`;
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(args) }).catch(() => undefined);
      return (await response?.json()) as Reply['body'];
    };
    const [north] = stub.workspaces;
    const request = { workspace: north?.slug, board: north?.board, brief: 'a cup', count: 3, shape: '1:1' };
    const credits = () => stub.state().accounts.find(({ id }) => id === 'first')?.credits ?? 0;
    const before = credits();

    const { confirmation_id } = await send(request);
    stub.person.approve(confirmation_id);
    stub.faults.add({ confirming: true, drop: 'after' });
    const confirmed = { ...request, confirmation_id };
    expect(await send(confirmed)).toBeUndefined();
    expect(stub.faults.unmet()).toEqual([]);

    const later: Readonly<Record<string, () => Promise<unknown[]>>> = {
      'gives up': async () => [],
      'sends it again': async () => [await send(confirmed), await send(confirmed)],
      'sends it five times at once': () => Promise.all(Array.from({ length: 5 }, () => send(confirmed))),
      'sends it with other keys': async () => [await send(confirmed, 'defaulted')],
      'changes it': async () => [
        await send({ ...confirmed, count: 1 }),
        await send({ ...confirmed, brief: 'a plate' }),
      ],
      waits: async () => {
        stub.clock.advance((limits.confirmation.about + 1) * 60);
        return [await send(confirmed)];
      },
      proposes: async () => {
        expect(await send(request)).toMatchObject({ status: 'confirmation_required', run_id: null });
        return [];
      },
    };
    for (const response of (await later[what]?.()) ?? []) {
      expect(response).toMatchObject({ ok: false, code: 'confirmation_invalid' });
    }

    const { charged, dispatched } = stub.state();
    expect({ charged, spent: before - credits(), dispatched }).toMatchObject({
      charged: 12,
      spent: 12,
      dispatched: [{ confirmation_id, images: 3, credits: 12, role: 'primary' }],
    });
    expect(dispatched).toHaveLength(1);
    const said = stub.journal().events.filter(({ kind }) => kind === 'person');
    expect(said).toMatchObject([{ act: 'approved', subject: confirmation_id }]);
  },
);
