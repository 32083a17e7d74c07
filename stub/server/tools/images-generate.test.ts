import { expect, test } from 'vitest';
import { limits } from '../../../fixtures/contract/limits.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { clientOf } from '../../../test/stub/client.ts';
import { standingClock } from '../../../test/stub/standing-clock.ts';
import { createCore } from '../../core.ts';

const lifetime = limits.confirmation.about * 60;

function studio() {
  const stub = createCore({ clock: standingClock });
  const call = clientOf(stub);
  const [north, south] = stub.workspaces;
  if (north === undefined || south === undefined) throw new Error('two workspaces are needed');
  const wanted = { board: north.board, brief: 'a red bicycle', count: 2, shape: '16:9', workspace: north.slug };
  const generate = (args: object = {}, role: Role = 'primary') =>
    call('images.generate', { ...wanted, ...args }, { role });
  const balance = (): number => call('credits.balance').body.balance;
  return { stub, call, generate, balance, wanted, south, propose: (): string => generate().body.confirmation_id };
}

test('a confirmation runs it: credits are spent and the images are in the library', () => {
  const { stub, call, generate, balance, propose } = studio();
  const before = balance();
  const total = call('library.search', { query: '' }).body.total;
  const { body } = generate({ confirmation_id: propose() });
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

test('it is alive until its lifetime has passed', () => {
  const { stub, generate, propose } = studio();
  const [first, second] = [propose(), propose()];
  stub.advance(lifetime - 1);
  expect(generate({ confirmation_id: first }).body.status).toBe('dispatched');
  stub.advance(1);
  expect(generate({ confirmation_id: second }).body.code).toBe('confirmation_invalid');
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
