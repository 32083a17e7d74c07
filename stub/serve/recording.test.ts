import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from '../../test/stub/client.ts';
import { tck } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { createStub } from '../index.ts';
import { readRecordedData } from './recording.ts';

const folder = temporaryFolder();
const image = { brief: 'a cup', count: 1, shape: '1:1' };
const readings: readonly (readonly [tool: string, args: object])[] = [
  ['library.search', { query: '', workspace: 'south' }],
  ['knowledge.search', { query: 'prices', workspace: 'south' }],
  ['connections.status', { workspace: 'south' }],
  ['schedule.read', {}],
  ['content.status', { workspace: 'south' }],
  ['credits.balance', {}],
];

test('a stub serves what a recording shows, and generates the rest', async () => {
  const now = '2027-03-08T09:00:00Z';
  const deployment = createStub({ seed: 7, now });
  const call = clientOf(deployment);
  const before = readings.map(([tool, args]) => call(tool, args).body);
  const [{ items }] = before as [{ items: { kind: string; id: string }[] }];
  const [{ kind, id } = { kind: '', id: '' }] = items;
  const item = call('library.get', { kind, id, workspace: 'south' }).body;
  const { board = '' } = deployment.workspaces[0] ?? {};
  call('images.generate', { ...image, board });
  const journal = join(folder, 'journal.json');
  await writeFile(journal, JSON.stringify(deployment.journal()));

  const { data, found } = await readRecordedData(journal);
  expect(found).toMatch(/^From journal\.json: 2 workspaces, \d\d? library items, \d+ passages?, \d+ pieces\./);
  const stub = createStub({ seed: 8, data });
  const again = clientOf(stub);
  // The stub shows pieces and hits in its own order and with its own blocks and relevance.
  const told = (body: Record<string, unknown>) => [body.balance, body.connected, body.items, body.days, body.label];
  expect(readings.map(([tool, args]) => told(again(tool, args).body))).toEqual(before.map(told));
  expect(again('library.get', { kind, id, workspace: 'south' }).body).toEqual(item);
  expect(stub.workspaces[0]).toMatchObject({ board });
  expect(again('schedule.read', {}).body.workspace).toBe(call('schedule.read', {}).body.workspace);
});

test.each([
  ['a recording of refusals only', { events: [] }, /expected a HAR file|shows no successful response/],
  ['no recording', { keys: {} }, /expected a HAR file, a report\.json or a journal of the stub/],
])('%s is wrong usage', async (name, content, message) => {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(content));
  const { code, stderr } = await tck(['stub', '--port', '0', '--from', file]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test('--from and --data exclude each other', async () => {
  const stderr = 'tck: --from: expected without --data\n';
  expect(await tck(['stub', '--from', 'a.har', '--data', 'b.yaml'])).toMatchObject({ code: 2, stderr });
});
