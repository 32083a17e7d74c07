import { expect, test } from 'vitest';
import { clientOf, controlOf } from '../../test/stub/client.ts';
import { createStub } from '../index.ts';

const piece = { piece_id: 'pc_1', title: 'Opening', format: 'posts' as const, scheduled_for: '2027-03-09T08:00:00Z' };
const data = {
  workspaces: {
    shop: {
      name: 'The shop',
      boards: [{ id: 'brd_1', name: 'Window' }],
      library: [{ kind: 'image', id: 'i1', title: 'Bread at dawn' }],
      knowledge: [{ source: 'Guide', excerpt: 'We sell sourdough bread.' }],
      connections: { connected: [{ provider: 'instagram' }] },
      schedule: [piece],
    },
  },
  accounts: { first: { credits: 12 } },
  keys: { primary: { reach: ['shop'], storedDefault: 'shop', rateLimit: 50 } },
  now: '2027-03-08T09:00:00Z',
};

test('a sandbox serves the data that it gets, to the tools and in its description', () => {
  const stub = createStub({ data });
  const call = clientOf(stub);
  expect(stub.workspaces).toEqual([{ slug: 'shop', board: 'brd_1' }]);
  expect(call('library.search', { query: 'bread' }).body).toMatchObject({ total: 1, items: [{ id: 'i1' }] });
  expect(call('knowledge.search', { query: 'bread' }).text).toContain('sourdough');
  expect(call('connections.status', {}).text).toContain('instagram');
  expect(call('schedule.read', {}).text).toContain('Opening');
  expect(call('credits.balance', {}).text).toContain('12');
  const image = { board: 'brd_1', brief: 'bread', count: 1, shape: '1:1' };
  expect(call('images.generate', image).body).toMatchObject({ ok: true, status: 'confirmation_required' });
});

test('a workspace can have a label', () => {
  const call = clientOf(createStub({ data: { workspaces: { north: { label: 'North, up here' } } } }));
  expect(call('schedule.read', {}).body.working_in.label).toBe('North, up here');
  expect(call('schedule.read', { workspace: 'south' }).body.working_in.label).toMatch(/ \(south\)$/);
});

test('the control plane mints sandboxes with data, and refuses invalid data by its member', async () => {
  await using stub = createStub({ control: { token: 'token-for-tests' } });
  const control = controlOf(stub, 'token-for-tests');
  expect(control('POST', '', { data }).body.workspaces).toEqual([{ slug: 'shop', board: 'brd_1' }]);
  const refused = control('POST', '', { data: { accounts: { first: { credits: -1 } } } });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('data: accounts.first.credits');
});
