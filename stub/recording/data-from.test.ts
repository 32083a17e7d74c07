import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { forms } from '../../test/forms.ts';
import { clientOf } from '../../test/stub/client.ts';
import { type HarEntry, harEntryOf, recordedBase, writeHarFile } from '../../test/stub/har.ts';
import { createStub } from '../index.ts';
import { dataFrom } from './data-from.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-from-'));
});
afterAll(() => rm(folder, { recursive: true }));

const working_in = (workspace: string, source = 'call-override') => {
  return { workspace, working_in: { label: `Shop ${workspace}`, note: 'n', workspace, source } };
};
const bread = { kind: 'image', id: 'i1', roll: 'archive', title: 'Bread', pinned: true, source_board_name: 'Window' };
const milk = { ...bread, id: 'i2', title: 'Milk', pinned: false };
const piece = { piece_id: 'p1', title: 'Opening', format: 'posts', scheduled_for: '2027-03-09T08:00:00Z' };
const days = [8, 9, 10, 11, 12, 13, 14].map((day) => `2027-03-${String(day).padStart(2, '0')}`);
const inShop = working_in('shop', 'stored-default');

const write = (entries: readonly object[]) => writeHarFile(join(folder, 'session.har'), entries);
const from = async (...entries: HarEntry[]) => dataFrom(await write(entries.map(harEntryOf)));

test('a sandbox has what a browser recorded', async () => {
  const image = { board: 'b1', brief: 'a cup', count: 2, shape: '1:1' };
  const proposed = { status: 'confirmation_required', confirmation_id: 'c1', run_id: null, board_id: 'b1', count: 2 };
  const dispatched = { ...proposed, status: 'dispatched', confirmation_id: null, run_id: 'r1' };
  const { data, summary } = await from(
    { tool: 'schedule.read', json: { ok: true, week_start: days[0], days, rows: [], pieces: [piece], ...inShop } },
    { tool: 'library.search', json: { ok: true, total: 2, truncated: false, items: [bread, milk], ...inShop } },
    {
      tool: 'library.get',
      args: { kind: 'image', id: 'i1' },
      json: { ok: true, item: { ...bread, description: 'A loaf', tags: ['new'] }, ...inShop },
    },
    {
      tool: 'knowledge.search',
      args: { query: 'bread' },
      json: {
        ok: true,
        query: 'bread',
        hits: [{ source: 'Guide', excerpt: 'We bake bread.', relevance: 0.8 }],
        ...inShop,
      },
    },
    {
      tool: 'connections.status',
      json: {
        ok: true,
        connected: [{ provider: 'instagram', account_name: 'shop' }],
        needs_attention: [],
        available: [],
        ...inShop,
      },
    },
    { tool: 'images.generate', args: image, json: { ok: true, ...proposed, ...inShop } },
    {
      tool: 'images.generate',
      args: { ...image, confirmation_id: 'c1' },
      json: { ok: true, ...dispatched, ...inShop },
    },
    { tool: 'credits.balance', json: { ok: true, balance: 92 } },
  );
  expect(data).toMatchObject({
    now: '2027-03-08T09:00:00.000Z',
    workspaces: {
      shop: {
        label: 'Shop shop',
        boards: [{ id: 'b1' }],
        library: [{ ...bread, description: 'A loaf', tags: ['new'] }, milk],
        knowledge: [{ source: 'Guide', excerpt: 'We bake bread.' }],
        connections: { connected: [{ provider: 'instagram', account_name: 'shop' }] },
        schedule: [{ ...piece, state: 'scheduled' }],
      },
    },
    accounts: { first: { credits: 100 } },
    keys: { primary: { reach: ['shop'], storedDefault: 'shop' } },
  });
  expect(summary).toContain('Reproduced 8 of 8 responses.');
  expect(summary).not.toContain('Not reproduced');
  const call = clientOf(createStub({ data }));
  expect(call('library.search').body.working_in).toMatchObject({ label: 'Shop shop', source: 'stored-default' });
});

test('what it cannot reproduce is listed with a count and an entry', async () => {
  const { format: _, ...formless } = piece;
  const schedule = { ok: true, week_start: days[0], days, rows: [], pieces: [formless], ...inShop };
  const found = { ok: true, total: 57, truncated: true, items: [{ ...bread, thumbnail: 'x' }], ...inShop };
  const options = {
    ...harEntryOf({ tool: 'schedule.read', status: 204 }),
    request: {
      method: 'OPTIONS',
      url: `${recordedBase}/api/v1/tools/schedule.read`,
      headers: [],
      bodySize: 0,
    },
  };
  const path = await write([
    options,
    ...[1, 2].map(() => harEntryOf({ tool: 'schedule.read', json: schedule })),
    harEntryOf({ tool: 'library.search', json: found }),
    harEntryOf({ tool: 'library.search' }),
    harEntryOf({ tool: 'credits.balance', status: 429, json: { error: { code: 'c', message: 'm' } } }),
    harEntryOf({ tool: 'credits.balance', status: 503, json: {} }),
    harEntryOf({ tool: 'credits.balance', json: { ok: true, balance: 3 } }),
    harEntryOf({ tool: 'content.status', json: 'text' }),
  ]);
  const { summary } = await dataFrom(path);
  expect(summary.replace(path, 'FILE').split('\n')).toEqual([
    'Sandbox of FILE:',
    '  1 workspace (shop), 1 library item; starts at 2027-03-08T09:00:00.000Z',
    '  key 1 of the recording (8 requests) is the role primary',
    'Not reproduced:',
    '  1 entry that is not a POST request to a tool of the API',
    '  2 × schedule.read: the recording shows pieces without a format (first entry 2)',
    '  1 × library.search: total differs (entry 4)',
    '  1 × library.search: the recording lacks the body of the response (entry 5)',
    '  1 × 429: a recording does not show the rate limit. --rate-limit sets one (entry 6)',
    '  1 × 503: --fault injects one (entry 7)',
    '  1 × content.status: the recording shows a body that is not a JSON object (entry 9)',
    '  Members that the stub does not have: library.search items[].thumbnail',
    'Reproduced 1 of 8 responses.',
  ]);
});

test('keys get the roles that their responses show', async () => {
  const status = (slug: string, source: string) => ({ ok: true, ...working_in(slug, source) });
  const ambiguous = { ok: false, code: 'workspace_ambiguous', message: 'm', workspaces: ['shop', 'cafe'] };
  const closed = { error: { code: 'tenant_mcp.surface_disabled', message: 'm' } };
  const unknown = { error: { code: 'tenant_api.credential_refused', message: 'm' } };
  const { data, summary } = await from(
    { tool: 'content.status', key: 'the-key-of-one-pin', json: status('cafe', 'key-pin') },
    { tool: 'content.status', key: 'the-key-of-a-client', json: ambiguous },
    {
      tool: 'content.status',
      key: 'the-key-of-a-client',
      json: status('shop', 'call-override'),
      args: { workspace: 'shop' },
    },
    { tool: 'content.status', key: 'the-key-of-another', json: status('bar', 'sole-reachable') },
    { tool: 'content.status', key: 'the-key-of-a-closed', status: 403, json: closed },
    { tool: 'content.status', key: 'the-key-of-the-past', status: 401, json: unknown },
    { tool: 'content.status', key: null, status: 401, json: unknown },
  );
  expect(data.keys).toMatchObject({
    primary: { reach: ['shop', 'cafe'], pin: null, storedDefault: null },
    pinned: { reach: ['cafe'], pin: 'cafe' },
    otherAccount: { reach: ['bar'] },
  });
  expect(data.workspaces?.bar?.account).toBe('second');
  expect(summary).toMatch(/key 4 .* is the role accountSwitchOff\n.*key 5 .* is the role revoked\n/);
  expect(summary).toContain('Reproduced 7 of 7 responses.');
});

test('the clock is that of the deployment', async () => {
  const schedule = (first: string, pieces: object[] = []) => {
    const day = (n: number) => new Date(Date.parse(first) + n * 86_400_000).toISOString().slice(0, 10);
    return { ok: true, week_start: first, days: [0, 1, 2, 3, 4, 5, 6].map(day), rows: [], pieces, ...inShop };
  };
  const dated = {
    tool: 'schedule.read',
    headers: { date: 'Mon, 15 Mar 2027 10:00:00 GMT' },
    json: schedule('2027-03-15'),
  };
  expect((await from(dated)).data.now).toBe('2027-03-15T10:00:00.000Z');
  const published = { ...piece, scheduled_for: '2028-05-03T08:00:00Z', state: 'published' };
  const advanced = { tool: 'schedule.read', json: schedule('2028-05-01', [published]) };
  const { data, summary } = await from(advanced);
  expect(data.now).toBe('2028-05-03T08:00:00.000Z');
  expect(summary).toContain('Reproduced 1 of 1 response.');
});

test('no form of a key, and no placeholder, enters the data or the summary', async () => {
  const secret = 'sk-live-4f9Q2m7Zt1Xw8Rb6Kc3V';
  const found = forms.map(({ of }, index) => ({ ...bread, id: `i${index}`, title: `About ${of(secret)}.` }));
  const odd = [
    { ...bread, id: secret },
    { ...bread, id: 'hidden', title: '<hidden 3>', source_board_name: '<key 1>' },
  ];
  const items = [...found, ...odd];
  const { data, summary } = await from(
    {
      tool: 'library.search',
      key: secret,
      json: { ok: true, total: items.length, truncated: false, items, ...inShop },
    },
    { tool: 'content.status', key: secret, json: { ok: true, ...working_in(secret) } },
    { tool: secret, key: secret, status: 404, json: { error: { code: secret, message: secret, [secret]: secret } } },
    { tool: 'credits.balance', key: secret, json: { ok: true, balance: 1, [secret]: 1, password: 'hunter2hunter2' } },
  );
  const text = JSON.stringify(data) + summary;
  for (const { of } of forms) expect(text).not.toContain(of(secret));
  expect(text).not.toMatch(/sk-live|4f9Q2m|<hidden|<key|hunter2/);
  expect(data.workspaces?.shop?.library).toHaveLength(found.length + 1);
  expect(data.workspaces?.shop?.library?.at(-1)).toMatchObject({ title: '(hidden)', source_board_name: '(hidden)' });
  expect(clientOf(createStub({ data }))('credits.balance', {}, { authorization: `Bearer ${secret}` }).status).toBe(401);
});

test('a recording with unusual values gives a sandbox', async () => {
  const { data, summary } = await from(
    { tool: 'schedule.read', json: { ok: true, days: ['never'], pieces: [7, null, { piece_id: '' }], ...inShop } },
    { tool: 'library.search', json: { ok: true, items: [null, { kind: 'a' }, { kind: 'a', id: 'b' }], ...inShop } },
    { tool: 'content.status', json: { ok: true, ...working_in('Not A Slug') } },
    { tool: 'content.status', json: { ok: true, ...working_in('attic') } },
    { tool: 'connections.status', json: { ok: true, connected: ['instagram', {}], available: 7, ...inShop } },
    { tool: 'knowledge.search', json: { ok: true, hits: [{ source: 1 }], ...inShop } },
    { tool: 'credits.balance', json: { ok: true, balance: -5 } },
  );
  expect(Object.keys(data.workspaces ?? {})).toEqual(['shop']);
  expect(summary).toContain('2 workspaces: the stub accepts only slugs such as my-shop-2');
  expect(createStub({ data }).workspaces).toEqual([{ slug: 'shop', board: expect.any(String) }]);
});

test.each([
  ['a file that is not JSON', 'tck: HAR', 'expected JSON'],
  ['another kind of file', '{"workspaces": {}}', 'expected a HAR file, a report.json or a journal of the stub'],
  ['a recording of another site', JSON.stringify({ log: { entries: [{ request: {} }] } }), 'expected a POST request'],
  ['a broken file', '{"log": {"entries": [', 'the end of the file'],
])('%s is refused', async (_, text, expected) => {
  const path = join(folder, 'broken.har');
  await writeFile(path, text);
  const refused = dataFrom(path);
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(expected);
  await expect(refused).rejects.toThrow(path);
});

test('a missing file is refused', async () => {
  await expect(dataFrom('/no/such/file.har')).rejects.toThrow("'/no/such/file.har' does not exist");
});
