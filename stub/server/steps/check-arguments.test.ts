import { expect, test } from 'vitest';
import { limits } from '../../../fixtures/contract/limits.ts';
import { toolNames, workspaceScopedTools } from '../../../fixtures/contract/tools.ts';
import { clientOf } from '../../../test/stub/client.ts';
import { createCore } from '../../core.ts';

const stub = createCore({ rateLimit: 10_000 });
const call = clientOf(stub);
const board = stub.workspaces[0]?.board;
const request = { format: 'posts', day: '2026-03-05' };
const images = { board, brief: 'a cup', count: 1, shape: '1:1' };
const paths = (tool: string, args: object): string[] => {
  const { status, headers, body } = call(tool, args);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ok: false, code: 'invalid_arguments', message: expect.any(String) });
  expect(['true', 'false']).toContain(headers['x-service-tool-error']);
  for (const issue of body.issues) expect(issue).toEqual({ path: expect.any(String), message: expect.any(String) });
  return body.issues.map((issue: { path: string }) => issue.path);
};

const invalid: [string, object, string[]][] = [
  ['content.create_request', {}, ['format', 'day']],
  ['content.create_request', { ...request, format: 'reels' }, ['format']],
  ['content.create_request', { ...request, format: 7 }, ['format']],
  ['content.create_request', { ...request, day: '5 March' }, ['day']],
  ['content.create_request', { ...request, day: '2026-3-5' }, ['day']],
  ['content.create_request', { ...request, title: '' }, ['title']],
  ['content.create_request', { ...request, title: 'x'.repeat(limits.title.most + 1) }, ['title']],
  ['content.create_request', { ...request, surprise: 1, another: 2 }, ['surprise', 'another']],
  ['content.create_request', { ...request, constructor: 1 }, ['constructor']],
  ['library.get', { kind: 'image' }, ['id']],
  ['library.get', { id: 'x' }, ['kind']],
  ['library.search', { query: 7 }, ['query']],
  ['knowledge.search', { query: ['x'] }, ['query']],
  ['images.generate', {}, ['board', 'brief', 'count', 'shape']],
  ['images.generate', { ...images, count: 1.5 }, ['count']],
  ['images.generate', { ...images, count: '1' }, ['count']],
  ['images.generate', { ...images, count: 0, shape: 'round' }, ['count', 'shape']],
  ['images.generate', { ...images, count: 13 }, ['count']],
  ['images.generate', { ...images, confirmation_id: null }, ['confirmation_id']],
];

test.each(invalid)('%s refuses %j and names what fails', (tool, args, expected) => {
  expect(paths(tool, args).sort()).toEqual(expected.sort());
});

test.each(workspaceScopedTools)('%s refuses an empty workspace, and one that is no text', (tool) => {
  expect(paths(tool, { workspace: '' })).toContain('workspace');
  expect(paths(tool, { workspace: 7 })).toContain('workspace');
});

test('an own property called __proto__ is an unknown property like any other', () => {
  const raw = `{"format":"posts","day":"2026-03-05","__proto__":1}`;
  expect(call('content.create_request', undefined, { raw }).body.issues).toMatchObject([{ path: '__proto__' }]);
});

test('titles of the shortest and of the longest length, and all shapes of a good call, are accepted', () => {
  const { least, most } = limits.title;
  for (const title of ['x'.repeat(least), 'x'.repeat(most), '🙂'.repeat(most)]) {
    expect(call('content.create_request', { ...request, title }).body.ok).toBe(true);
  }
});

test('tools other than content.create_request do not mind unknown properties', () => {
  const args = { ...images, kind: 'image', id: 'none', surprise: 1 };
  for (const tool of toolNames.filter((name) => name !== 'content.create_request')) {
    expect(call(tool, args).body.code).not.toBe('invalid_arguments');
  }
});
