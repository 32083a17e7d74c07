import { describe, expect, test } from 'vitest';
import { createStub, type Stub } from '../../stub/index.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { RunResult } from '../result.ts';
import type { Target } from '../target/target.ts';
import { settings } from '../topics/needs.ts';
import { audit } from './audit.ts';

/** Returns the configured part of the target. `pin` is the workspace of the pinned key. */
type Known = (target: Target, pin: string) => Partial<Target>;

async function pinOf(stub: Stub): Promise<string> {
  const headers = { authorization: `Bearer ${stub.keys.pinned}` };
  const response = await stub.fetch(`${stub.baseUrl}/api/v1/tools/schedule.read`, { method: 'POST', headers });
  const { workspace }: { workspace: string } = JSON.parse(await response.text());
  return workspace;
}

/** Runs the kit against a stub with only this configuration. */
async function runWith(known: Known): Promise<{ target: Target; result: RunResult }> {
  const stub = createStub({ seed: 1, variants: ['pin-refuses'] });
  const all = inProcess(stub);
  const target = { ...all, ...known(all, await pinOf(stub)) };
  return { target, result: await audit(target, { seed: 1, observe: false }) };
}

function pick({ keys }: Target, ...roles: (keyof Target['keys'])[]): Target['keys'] {
  return Object.fromEntries(Object.entries(keys).filter(([role]) => roles.some((other) => other === role)));
}

const little: Readonly<Record<string, Known>> = {
  'one key': (target) => ({ keys: pick(target, 'primary'), workspaces: [], allow: [] }),
  'another account with the same slug': ({ keys, workspaces }) => ({
    keys: {
      ...keys,
      ...(keys.otherAccount && { otherAccount: { ...keys.otherAccount, workspace: workspaces[0]?.slug ?? '' } }),
    },
  }),
  'a pinned key as primary': ({ keys, workspaces }, pin) => ({
    keys: { ...keys, ...(keys.pinned && { primary: { ...keys.pinned, role: 'primary' } }) },
    workspaces: workspaces.toSorted((a, b) => Number(b.slug === pin) - Number(a.slug === pin)),
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
