import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stagingTraffic } from '../../test/staging-traffic.ts';
import { clientOf } from '../../test/stub/client.ts';
import { harEntryFrom, writeHarFile } from '../../test/stub/har.ts';
import { tck } from '../../test/tck.ts';
import { createStub, dataFrom, type Stub } from '../index.ts';
import type { GivenData } from '../world/data.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tck-round-trip-'));
});
afterAll(() => rm(folder, { recursive: true }));

const data: GivenData = {
  now: '2027-03-08T09:00:00Z',
  workspaces: {
    shop: {
      name: 'The shop',
      boards: [{ id: 'brd_1', name: 'Window' }],
      library: [{ kind: 'image', id: 'i1', title: 'Bread at dawn', tags: ['bread'], description: 'A loaf' }],
      knowledge: [{ source: 'Guide', excerpt: 'We sell sourdough bread.' }],
      connections: { connected: [{ provider: 'instagram' }] },
      schedule: [{ piece_id: 'pc_1', title: 'Opening', format: 'posts', scheduled_for: '2027-03-09T08:00:00Z' }],
    },
  },
  accounts: { first: { credits: 120 } },
  keys: { primary: { reach: ['shop'], storedDefault: 'shop' }, sole: { reach: ['shop'] } },
};
const image = { board: 'brd_1', brief: 'a cup', count: 1, shape: '1:1' };

const client = `
  const { TCK_BASE_URL: url, KEY, SOLE } = process.env;
  const call = async (tool, args = {}, key = KEY) => {
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
    const body = JSON.stringify(args);
    return (await fetch(url + '/api/v1/tools/' + tool, { method: 'POST', headers, body })).json();
  };
  for (const tool of ['schedule.read', 'content.status', 'library.search', 'connections.status', 'credits.balance'])
    await call(tool);
  await call('library.get', { kind: 'image', id: 'i1' });
  await call('knowledge.search', { query: 'sourdough bread' });
  await call('content.create_request', { format: 'posts', day: '2027-03-10' });
  await call('schedule.read', {}, SOLE);
  const image = ${JSON.stringify(image)};
  const { confirmation_id } = await call('images.generate', image);
  for (const _ of [1, 2]) await call('images.generate', { ...image, confirmation_id });
  await call('library.search');
  await call('images.generate', { ...image, board: 'other' });
  await call('credits.balance');
`;

/** Runs the client through \`tck proxy\`. Returns the path of the HAR file. */
async function record(stub: Stub): Promise<string> {
  const { baseUrl } = await stub.listen({ port: 0 });
  const script = join(folder, 'client.mjs');
  await writeFile(script, client);
  const har = join(folder, 'client.har');
  const program = ['--out', join(folder, 'report'), '--', process.execPath, script];
  const env = { KEY: stub.keys.primary, SOLE: stub.keys.sole };
  const { code, stdout, stderr } = await tck(['proxy', baseUrl, '--har', har, ...program], { env });
  expect(code, stdout + stderr).toBe(0);
  return har;
}

/** Responses that depend on the data. */
function responsesOf(stub: Stub): unknown[] {
  const call = clientOf(stub);
  const read = ['schedule.read', 'content.status', 'library.search', 'connections.status', 'credits.balance'];
  return [
    ...read.map((tool) => call(tool).body),
    call('library.get', { kind: 'image', id: 'i1' }).body,
    call('knowledge.search', { query: 'sourdough bread' }).body,
    call('images.generate', image).body,
    call('images.generate', { ...image, workspace: 'north' }).body.workspaces,
  ];
}

test('a stub that starts from the recording of a client responds like the recorded stub', {
  timeout: 60_000,
}, async () => {
  await using recorded = createStub({ data });
  const har = await record(recorded);
  const from = await dataFrom(har);
  expect(from.summary).toContain('Reproduced 15 of 15 responses.');
  // The proxy does not show the clock of the stub, but the week of the schedule does.
  const { now: _, ...shown } = from.data;
  const again = createStub({ data: { ...shown, now: '2027-03-08T09:00:00Z' } });
  expect(responsesOf(again)).toEqual(responsesOf(createStub({ data })));

  const events = join(folder, 'journal.json');
  await writeFile(events, JSON.stringify(recorded.journal()));
  expect((await dataFrom(events)).summary).toContain('Reproduced 15 of 15 responses.');
  for (const key of Object.values(recorded.keys)) expect(JSON.stringify(from)).not.toContain(key);
});

test('a run of the kit gives a sandbox, from its HAR file and from its report', { timeout: 120_000 }, async () => {
  const [har, out] = [join(folder, 'run.har'), join(folder, 'run')];
  const ended = await tck(['run', '--stub', '--allow', 'all', '--har', har, '--out', out]);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(shareIn((await dataFrom(har)).summary)).toBeGreaterThan(0.85);
  const report = await dataFrom(join(out, 'report.json'));
  expect(Object.keys(report.data.workspaces ?? {})).toContain('north');
  expect(shareIn(report.summary)).toBeGreaterThan(0.6);
});

/** Share of the responses that a summary calls reproduced. */
function shareIn(summary: string): number {
  const [, reproduced, all] = /Reproduced (\d+) of (\d+) responses/.exec(summary) ?? [];
  return Number(reproduced) / Number(all);
}

test('traffic of several clients keeps their keys, accounts and workspaces', async () => {
  const { traffic } = stagingTraffic(400, 3);
  const { data, summary } = await dataFrom(
    await writeHarFile(join(folder, 'staging.har'), [...traffic].map(harEntryFrom)),
  );
  expect(shareIn(summary)).toBeGreaterThan(0.9);
  expect(data.workspaces?.harbor).toBeDefined();
  expect(data.keys?.otherAccount?.reach).toEqual(['harbor']);
  expect(data.keys?.pinned?.pin).toBe('south');
});

test('tck stub --from serves a recording', { timeout: 60_000 }, async () => {
  await using recorded = createStub({ data });
  const har = await record(recorded);
  const script = `
    const { TCK_BASE_URL: url, TCK_KEY_PRIMARY: key, TCK_WORKSPACE, TCK_BOARD } = process.env;
    const headers = { authorization: 'Bearer ' + key };
    const response = await fetch(url + '/api/v1/tools/library.search', { method: 'POST', headers });
    console.log(TCK_WORKSPACE, TCK_BOARD, (await response.json()).items[0].title);`;
  const command = [process.execPath, '--input-type=module', '-e', script];
  const ended = await tck(['stub', '--from', har, '--', ...command]);
  expect(ended).toMatchObject({ code: 0, stdout: 'shop brd_1 Bread at dawn\n' });
  expect(ended.stderr).toMatch(/^Sandbox of .*\nReproduced 15 of 15 responses\.\n$/s);
  for (const key of Object.values(recorded.keys)) expect(ended.stdout + ended.stderr).not.toContain(key);

  const both = await tck(['stub', '--from', har, '--data', har]);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringMatching(/^tck: --from: expected without --data/) });
  const none = await tck(['stub', '--from', 'none.har'], { cwd: folder });
  expect(none).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--from: cannot read the recording: 'none.har'"),
  });
});
