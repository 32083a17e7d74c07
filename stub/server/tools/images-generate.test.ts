import { expect, test } from 'vitest';
import { clientOf } from '../../../test/stub/client.ts';
import { standingClock } from '../../../test/stub/standing-clock.ts';
import { createStub } from '../../index.ts';

function studio() {
  const stub = createStub({ clock: standingClock });
  const call = clientOf(stub);
  const [north] = stub.workspaces;
  const wanted = { board: north?.board, brief: 'a red bicycle', count: 2, shape: '16:9', workspace: north?.slug };
  const generate = (args: object = {}) => call('images.generate', { ...wanted, ...args });
  const balance = (): number => call('credits.balance').body.balance;
  return { stub, call, generate, balance };
}

test('a confirmation runs it: credits are spent and the images are in the library', () => {
  const { stub, call, generate, balance } = studio();
  const before = balance();
  const total = call('library.search', { query: '' }).body.total;
  const { body } = generate({ confirmation_id: generate().body.confirmation_id });
  expect(body).toMatchObject({
    ok: true,
    status: 'dispatched',
    confirmation_id: null,
    request_summary: null,
    run_id: expect.stringMatching(/./),
    workspace: 'north',
  });
  expect(balance()).toBe(before - 8);
  expect(stub.stats).toMatchObject({ runsDispatched: 1, imagesDispatched: 2, creditsSpent: 8 });
  const found = call('library.search', { query: 'red bicycle' }).body;
  expect(found).toMatchObject({ total: 2, truncated: false });
  expect(call('library.search', {}).body.total).toBe(total + 2);
  for (const { kind, id } of found.items) {
    expect(call('library.get', { kind, id }).body.item).toMatchObject({ kind, id, title: 'a red bicycle' });
  }
});

test('credits that are not there are not spent', () => {
  const { stub, generate, balance } = studio();
  let proposed = generate({ count: 12 }).body;
  while (proposed.ok) {
    const confirmed = generate({ confirmation_id: proposed.confirmation_id }).body;
    expect(confirmed.ok).toBe(true);
    if (stub.stats.runsDispatched % 100 === 0) stub.advance(60);
    proposed = generate({ count: 12 }).body;
  }
  expect(proposed.code).toBe('insufficient_credits');
  expect(balance()).toBeGreaterThanOrEqual(0);
  expect(balance()).toBeLessThan(48);
});
