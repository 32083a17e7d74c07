import { expect, test } from 'vitest';
import { workspaceScopedTools } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { clientOf } from '../../../test/stub/client.ts';
import { createCore } from '../../core.ts';

const stub = createCore({ rateLimit: 10_000 });
const call = clientOf(stub);
const read = (role: Role, workspace?: string) =>
  call('schedule.read', workspace === undefined ? {} : { workspace }, { role });

const rungs: [Role, string | undefined, string, string][] = [
  ['pinned', undefined, 'south', 'key-pin'],
  ['defaulted', undefined, 'east', 'stored-default'],
  ['sole', undefined, 'south', 'sole-reachable'],
  ['primary', undefined, 'north', 'stored-default'],
  ['ambiguous', 'east', 'east', 'call-override'],
  ['pinned', 'north', 'north', 'call-override'],
  ['sole', 'south', 'south', 'call-override'],
  ['otherAccount', 'quay', 'quay', 'call-override'],
];

test.each(rungs)('%s, asked for %s, works in %s by %s', (role, asked, workspace, source) => {
  const { body } = read(role, asked);
  expect(body.workspace).toBe(workspace);
  expect(body.working_in).toEqual({ label: expect.any(String), note: expect.any(String), workspace, source });
});

/** Arguments that all workspace-scoped tools accept, except `content.create_request`. */
const everything = {
  format: 'posts',
  day: '2026-03-05',
  kind: 'image',
  id: 'x',
  board: 'b',
  brief: 'a cup',
  count: 1,
  shape: '1:1',
};
const argumentsOf = (tool: string) =>
  tool === 'content.create_request' ? { format: everything.format, day: everything.day } : everything;

test.each(workspaceScopedTools)('%s refuses to choose among several workspaces, and each listed one works', (tool) => {
  const { status, headers, body } = call(tool, argumentsOf(tool), { role: 'ambiguous' });
  expect(status).toBe(200);
  expect(headers['x-service-tool-error']).toBe('true');
  expect(body).toMatchObject({ ok: false, code: 'workspace_ambiguous', message: expect.any(String) });
  expect(body.workspaces).toHaveLength(3);
  for (const workspace of body.workspaces) {
    const listed = call(tool, { ...argumentsOf(tool), workspace }, { role: 'ambiguous' }).body;
    expect(listed.code).not.toBe('workspace_ambiguous');
    if (listed.ok) expect(listed.workspace).toBe(workspace);
  }
});

test.each(workspaceScopedTools)(
  '%s refuses a workspace of another account and one that does not exist alike',
  (tool) => {
    const [foreign, unknown] = ['harbor', 'nowhere'].map((workspace) =>
      call(tool, { ...argumentsOf(tool), workspace }),
    );
    expect(foreign?.body).toMatchObject({ ok: false, workspaces: ['north', 'south', 'east'] });
    expect(foreign?.headers['x-service-tool-error']).toBe('true');
    expect(unknown?.text).toBe(foreign?.text);
  },
);

test('a key that reaches one workspace is not shown the others', () => {
  expect(read('sole', 'north').body.workspaces).toEqual(['south']);
});

test('names of object members are no workspaces', () => {
  expect(read('primary', 'constructor').body.ok).toBe(false);
});

test('credits need no workspace, and are shared by the keys of an account', () => {
  const balances = (['primary', 'ambiguous', 'sole'] as const).map(
    (role) => call('credits.balance', {}, { role }).body,
  );
  for (const body of balances) expect(body).toEqual({ ok: true, balance: balances[0].balance });
  expect(call('credits.balance', {}, { role: 'otherAccount' }).body.balance).not.toBe(balances[0].balance);
});
