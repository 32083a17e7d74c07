import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from '../../test/stub/client.ts';
import { tck } from '../../test/tck.ts';
import { connect, createStub } from '../index.ts';

const data = {
  workspaces: {
    shop: {
      name: 'The shop',
      boards: [{ id: 'brd_1', name: 'Window' }],
      library: [{ kind: 'image', id: 'i1', title: 'Bread at dawn' }],
      knowledge: [{ source: 'Guide', excerpt: 'We sell sourdough bread.' }],
      connections: { connected: [{ provider: 'instagram' }] },
      schedule: [
        { piece_id: 'pc_1', title: 'Opening', format: 'posts' as const, scheduled_for: '2027-03-09T08:00:00Z' },
      ],
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

test('the state of a sandbox starts another one with the same state', () => {
  const first = createStub({ data, seed: 3 });
  const call = clientOf(first);
  const created = call('content.create_request', { format: 'posts', day: '2027-03-10', title: 'Mine' }).body.piece_id;
  const image = { board: 'brd_1', brief: 'bread', count: 1, shape: '1:1' };
  const { confirmation_id } = call('images.generate', image).body;
  call('images.generate', { ...image, confirmation_id });
  const second = createStub({ data: JSON.parse(JSON.stringify(first.data())) });
  const again = clientOf(second);
  for (const tool of ['schedule.read', 'content.status', 'credits.balance', 'library.search']) {
    expect(again(tool, {}).body, tool).toEqual(call(tool, {}).body);
  }
  expect({ ...second.data(), now: '' }).toEqual({ ...first.data(), now: '' });
  const ids = Array.from(
    { length: 5 },
    () => again('content.create_request', { format: 'posts', day: '2027-03-11' }).body.piece_id,
  );
  expect(ids).not.toContain(created);
  second.reset();
  expect(second.state().created.map(({ piece_id }) => piece_id)).toEqual([created]);
});

test('the control plane mints sandboxes with data, and refuses invalid data by its member', async () => {
  await using stub = createStub({ control: { token: 'token-for-tests' } });
  const { baseUrl } = await stub.listen();
  const { mint } = connect({ url: `${baseUrl}/__control/`, token: 'token-for-tests' });
  expect((await mint({ data })).workspaces).toEqual([{ slug: 'shop', board: 'brd_1' }]);
  await expect(mint({ data: { accounts: { first: { credits: -1 } } } })).rejects.toThrow('data.accounts.first.credits');
});

test('tck stub --data and --save keep a state between two starts', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tck-data-'));
  const file = join(folder, 'state.yaml');
  const client = join(folder, 'client.mjs');
  await writeFile(file, JSON.stringify(data));
  await writeFile(
    client,
    `const { TCK_BASE_URL: url, TCK_KEY_PRIMARY: key } = process.env;
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
    const body = JSON.stringify({ format: 'posts', day: '2027-03-10', title: 'Kept' });
    await fetch(url + '/api/v1/tools/content.create_request', { method: 'POST', headers, body });`,
  );
  for (const times of [1, 2]) {
    const { code, stderr } = await tck(['stub', '--data', file, '--save', file, '--', process.execPath, client]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await readFile(file, 'utf8')).match(/title: Kept/g)).toHaveLength(times);
  }
  await writeFile(file, 'workspaces: [');
  const broken = await tck(['stub', '--data', file]);
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining(`tck: --data: ${file}: `) });
  await rm(folder, { recursive: true });
});
