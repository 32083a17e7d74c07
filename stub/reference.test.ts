import { expect, test } from 'vitest';
import { type AskedRequest, createReference } from './reference.ts';

const theirs = {
  baseUrl: 'https://api.example.test/edge/v9',
  workspaces: [{ slug: 'alpha', board: 'board-1' }, { slug: 'beta' }],
  otherAccount: { workspace: 'gamma', board: 'board-9' },
};
const ask = createReference(theirs);
const asked = (
  tool: string,
  args: unknown,
  role: string | null = 'primary',
  authorization = 'Bearer $KEY',
): AskedRequest => ({
  tool,
  role,
  request: {
    method: 'POST',
    url: `https://api.example.test/edge/v9/api/v1/tools/${tool}`,
    headers: [
      ...(authorization === '' ? [] : [['authorization', authorization] as const]),
      ['content-type', 'application/json'],
    ],
    body: typeof args === 'string' ? args : JSON.stringify(args),
  },
});

test('a workspace of the deployment is answered as one of the stub', async () => {
  const answer = await ask(asked('schedule.read', { workspace: 'alpha' }));
  expect(answer?.status).toBe(200);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ ok: true, working_in: { source: 'call-override' } });
  expect(answer?.headers).toContainEqual(['x-service-api', 'beta']);
});

test('boards are translated, and those of another account are found nowhere', async () => {
  const request = { brief: 'b', count: 1, shape: '1:1', workspace: 'alpha' };
  const found = await ask(asked('images.generate', { ...request, board: 'board-1' }));
  expect(JSON.parse(found?.body ?? '')).toMatchObject({ ok: true, status: 'confirmation_required' });
  const missing = await ask(asked('images.generate', { ...request, board: 'board-9' }));
  expect(JSON.parse(missing?.body ?? '')).toMatchObject({ ok: false, code: 'board_not_found' });
});

test.each([
  ['a key that is no role', null, 'Bearer $KEY}a', 401],
  ['no credential', null, '', 401],
  ['another scheme', null, 'Basic $KEY', 401],
  ['a key without access', 'withoutAccess', 'Bearer $KEY', 403],
])('%s is answered by the boundary', async (_what, role, authorization, status) => {
  expect((await ask(asked('schedule.read', {}, role, authorization)))?.status).toBe(status);
});

test('what is no object goes as it is', async () => {
  expect((await ask(asked('schedule.read', '[{}]')))?.status).toBe(400);
  expect((await ask(asked('schedule.read', 'no json')))?.status).toBe(400);
});

test('what only the deployment can know is not asked', async () => {
  expect(await ask(asked('library.get', { kind: 'image', id: '1' }))).toBeNull();
  expect(await ask(asked('images.generate', { confirmation_id: 'c-1' }))).toBeNull();
  expect(await ask({ ...asked('x', {}), tool: null })).toBeNull();
});
