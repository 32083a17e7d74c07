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

test('a proposal runs nothing and says what would run', () => {
  const { stub, generate, balance, wanted } = studio();
  const before = balance();
  expect(generate().body).toEqual({
    ok: true,
    status: 'confirmation_required',
    confirmation_id: expect.stringMatching(/./),
    request_summary: expect.stringContaining('2 images'),
    count: 2,
    aspect_ratio: '16:9',
    board_id: wanted.board,
    run_id: null,
    workspace: 'north',
    working_in: { label: expect.any(String), note: expect.any(String), workspace: 'north', source: 'call-override' },
  });
  expect(balance()).toBe(before);
  expect(stub.stats).toMatchObject({ proposals: 1, imagesDispatched: 0 });
});

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

test('what was confirmed runs, whatever the second call says', () => {
  const { stub, generate, wanted, propose } = studio();
  const changed = { count: 5, shape: '1:1', board: 'elsewhere', brief: 'a blue car', confirmation_id: propose() };
  expect(generate(changed).body).toMatchObject({
    status: 'dispatched',
    count: 2,
    aspect_ratio: '16:9',
    board_id: wanted.board,
  });
  expect(stub.stats.imagesDispatched).toBe(2);
});

test('each unusable confirmation gets one response: used, expired, unknown, of another workspace or account', () => {
  const { stub, call, generate, propose, south } = studio();
  const used = propose();
  generate({ confirmation_id: used });
  const elsewhere = generate({ workspace: south.slug, board: south.board }).body.confirmation_id;
  const { slug: workspace, board } = stub.otherAccount;
  const foreign = call(
    'images.generate',
    { workspace, board, brief: 'x', count: 1, shape: '1:1' },
    { role: 'otherAccount' },
  );
  const expired = propose();
  stub.advance(lifetime);
  const responses = [used, expired, 'cnf_never', '', 'constructor', elsewhere, foreign.body.confirmation_id].map((id) =>
    generate({ confirmation_id: id }),
  );
  for (const { status, headers, text } of responses) {
    expect({ status, headers, text }).toEqual({
      status: responses[0]?.status,
      headers: responses[0]?.headers,
      text: responses[0]?.text,
    });
  }
  expect(responses[0]?.headers['x-service-tool-error']).toBe('false');
  expect(responses[0]?.body).toMatchObject({ ok: false, code: 'confirmation_invalid' });
  expect(responses[0]?.body.message).toContain(`${limits.confirmation.about} minutes`);
  expect(generate({ confirmation_id: propose() }).body.status).toBe('dispatched');
});

test('a try from the wrong place does not use a confirmation up', () => {
  const { generate, propose, south } = studio();
  const id = propose();
  expect(generate({ confirmation_id: id, workspace: south.slug }).body.code).toBe('confirmation_invalid');
  expect(generate({ confirmation_id: id }).body.status).toBe('dispatched');
});

test('it is alive until its lifetime has passed', () => {
  const { stub, generate, propose } = studio();
  const [first, second] = [propose(), propose()];
  stub.advance(lifetime - 1);
  expect(generate({ confirmation_id: first }).body.status).toBe('dispatched');
  stub.advance(1);
  expect(generate({ confirmation_id: second }).body.code).toBe('confirmation_invalid');
});

test('another key of the account may confirm', () => {
  const { generate, propose } = studio();
  expect(generate({ confirmation_id: propose() }, 'ambiguous').body.status).toBe('dispatched');
});

test('a board that is unknown, or of another workspace, is not found', () => {
  const { generate, south } = studio();
  for (const board of ['brd_none', south.board]) {
    const { headers, body } = generate({ board });
    expect(body).toMatchObject({ ok: false, code: 'board_not_found' });
    expect(headers['x-service-tool-error']).toBe('false');
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
