import { describe, expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { settings } from '../check.ts';
import type { RunResult } from '../result.ts';
import type { Target } from '../target.ts';
import { inProcess } from '../testing/stub-target.ts';
import { audit } from './audit.ts';

/** A run against the stub that knows only this of it. */
async function runWith(known: (target: Target) => Partial<Target>): Promise<{ target: Target; result: RunResult }> {
  const stub = createStub({ seed: 1 });
  const all = inProcess(stub);
  const target = { ...all, ...known(all) };
  return { target, result: await audit(target, { seed: 1, observe: false, fuzz: 0 }) };
}

function pick({ keys }: Target, ...roles: (keyof Target['keys'])[]): Target['keys'] {
  return Object.fromEntries(Object.entries(keys).filter(([role]) => roles.some((each) => each === role)));
}

const little: Readonly<Record<string, (target: Target) => Partial<Target>>> = {
  'one key': (target) => ({ keys: pick(target, 'primary'), workspaces: [], allow: [] }),
  'a key with a default': (target) => ({ keys: pick(target, 'primary', 'defaulted') }),
  'boards of the same id': ({ workspaces }) => ({
    workspaces: workspaces.map((each) => ({ ...each, ...(workspaces[0]?.board && { board: workspaces[0].board }) })),
  }),
  'another account with the same slug': ({ keys, workspaces }) => ({
    keys: {
      ...keys,
      ...(keys.otherAccount && { otherAccount: { ...keys.otherAccount, workspace: workspaces[0]?.slug ?? '' } }),
    },
  }),
  'a pinned key as primary': ({ keys }) => ({
    keys: { ...keys, ...(keys.pinned && { primary: { ...keys.pinned, role: 'primary' } }) },
  }),
};

describe('what is configured is never said to be missing', () => {
  test.each(Object.entries(little))('%s', async (_, known) => {
    const { target, result } = await runWith(known);
    const untested = result.requirements.filter(({ status }) => status === 'not-tested');
    expect(untested.length).toBeGreaterThan(0);
    const [first, second] = target.workspaces;
    const configured: Readonly<Record<string, string | undefined>> = {
      [settings.workspace]: first?.slug,
      [settings.board]: first?.board,
      [settings.otherWorkspace]: second?.slug,
      [settings.otherBoard]: second?.board,
      [settings.otherAccountWorkspace]: target.keys.otherAccount?.workspace,
      [settings.otherAccountBoard]: target.keys.otherAccount?.board,
    };
    for (const { id, reason, missing = [] } of untested) {
      expect(reason, id).toMatch(/\w/);
      for (const one of missing) {
        if (one.kind === 'role') expect(target.keys[one.role], id).toBeUndefined();
        if (one.kind === 'effect') expect(target.allow, id).not.toContain(one.effect);
        if (one.kind === 'setting') expect(configured[one.setting], `${id}: ${one.setting}`).toBeUndefined();
      }
    }
  });
});

test('what is configured and cannot be used is the reason', async () => {
  const { result } = await runWith(little['boards of the same id'] ?? (() => ({})));
  const refused = result.requirements.find(({ id }) => id === 'image-proposals.board-elsewhere-refused');
  expect(refused).toMatchObject({
    status: 'not-tested',
    reason: 'workspaces[1].board is configured, but its id is that of workspaces[0].board',
    missing: [{ kind: 'unusable' }],
  });
});
