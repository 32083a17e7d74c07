import { expect, test } from 'vitest';
import type { Role } from '../fixtures/roles.ts';
import type { Effect } from '../fixtures/side-effects.ts';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import type { RunResult } from '../suites/result.ts';
import type { Target } from '../suites/target/target.ts';
import { skippingTimer } from '../test/skipping-timer.ts';
import { inProcess } from '../test/stub-target.ts';
import { gapsOf } from './gaps.ts';

/** Configuration of the target. */
type Known = { roles: readonly Role[]; allow: readonly Effect[]; settings: readonly string[]; clock: boolean };

async function runWith({ roles, allow, settings, clock }: Known): Promise<RunResult> {
  let now = Date.now();
  const { clock: own, ...target } = inProcess(createStub({ clock: { now: () => now }, rateLimit: 5000 }));
  const limited: Target = {
    ...target,
    keys: Object.fromEntries(Object.entries(target.keys).filter(([role]) => roles.some((each) => each === role))),
    allow: [...allow],
    workspaces: target.workspaces.flatMap(({ slug, board }, index) => {
      const name = `workspaces[${index}]`;
      if (index > 0 && !settings.includes(name)) return [];
      return settings.includes(`${name}.board`) && board !== undefined ? [{ slug, board }] : [{ slug }];
    }),
    ...(clock && own !== undefined ? { clock: own } : {}),
  };
  // Without a clock to advance, the run waits. The timer skips these waits.
  const timer = skippingTimer((ms) => {
    now += ms;
  });
  return await audit(limited, { seed: 1, observe: false, timer });
}

/** Any second workspace suffices for one, and any second board for the other. The gaps name none of them. */
const isCertain = (id: string) => !['content-requests.stays-in-workspace', 'confirmations.changed-board'].includes(id);

test.each<[string, Known]>([
  ['one key', { roles: ['primary'], allow: [], settings: [], clock: false }],
  ['three keys and writes', { roles: ['primary', 'sole', 'revoked'], allow: ['writes'], settings: [], clock: true }],
])('each step makes as many requirements testable as it says: %s', { timeout: 240_000 }, async (_, known) => {
  const first = await runWith(known);
  const left = new Set(first.requirements.filter(({ status }) => status === 'not-tested').map(({ id }) => id));
  const now = { ...known, roles: [...known.roles], allow: [...known.allow], settings: [...known.settings] };
  for (const { missing, requirements } of gapsOf(first)) {
    if (missing.length === 0) continue;
    for (const one of missing) {
      if (one.kind === 'role') now.roles.push(one.role);
      if (one.kind === 'effect') now.allow.push(one.effect);
      if (one.kind === 'setting') now.settings.push(one.setting);
      if (one.kind === 'clock') now.clock = true;
    }
    const { requirements: after } = await runWith(now);
    const gained = after.filter(({ id, status }) => status !== 'not-tested' && left.delete(id)).map(({ id }) => id);
    expect(gained.filter(isCertain).toSorted()).toEqual(requirements.filter(isCertain).toSorted());
  }
});
