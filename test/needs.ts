import { writeFileSync } from 'node:fs';
import { type Role, roles } from '../fixtures/roles.ts';
import { type Effect, effects, type Need } from '../fixtures/side-effects.ts';
import { createStub } from '../stub/index.ts';
import { audit } from '../suites/engine/audit.ts';
import type { Target, WorkspaceChoice } from '../suites/target/target.ts';
import { type Setting, settings } from '../suites/topics/needs.ts';
import { awaitsRefusal } from '../suites/verdict.ts';

import { skippingTimer } from './skipping-timer.ts';
import { inProcess } from './stub-target.ts';

/** Location of the generated needs. */
const needsFile = new URL('../fixtures/requirements/needs.generated.ts', import.meta.url);

type Without = readonly [need: Need, of: (target: Target) => Target];

const withoutRole = (role: Role): Without => [
  { kind: 'role', role },
  ({ keys: { [role]: _, ...keys }, ...target }) => ({ ...target, keys }),
];
const withoutEffect = (effect: Effect): Without => [
  { kind: 'effect', effect },
  (target) => ({ ...target, allow: target.allow.filter((each) => each !== effect) }),
];
const withoutTime: Without = [
  { kind: 'clock' },
  ({ clock: _, ...target }) => ({ ...target, allow: target.allow.filter((effect) => effect !== 'waiting') }),
];
const withoutSetting = (setting: Setting, of: (target: Target) => Target): Without => [
  { kind: 'setting', setting: settings[setting] },
  of,
];
const workspaces = (change: (all: readonly WorkspaceChoice[]) => WorkspaceChoice[]) => (target: Target) => ({
  ...target,
  workspaces: change(target.workspaces),
});
const boardless = ({ slug }: WorkspaceChoice): WorkspaceChoice => ({ slug });

const otherRoles = roles.filter((role) => role !== 'primary');
const withRoles = (those: readonly Role[]) => (target: Target) =>
  otherRoles.filter((role) => !those.includes(role)).reduce((rest, role) => withoutRole(role)[1](rest), target);

/** Everything that a target may lack, each with a function that removes it. */
const lacks: readonly Without[] = [
  ...otherRoles.map(withoutRole),
  ...effects.filter((effect) => effect !== 'waiting').map(withoutEffect),
  withoutTime,
  withoutSetting(
    'board',
    workspaces((all) => all.map((each, index) => (index === 0 ? boardless(each) : each))),
  ),
  withoutSetting(
    'otherWorkspace',
    workspaces((all) => all.slice(0, 1)),
  ),
  withoutSetting(
    'otherBoard',
    workspaces((all) => all.map((each, index) => (index === 1 ? boardless(each) : each))),
  ),
];

async function untestedOn(change: (target: Target) => Target): Promise<string[]> {
  const target = change(inProcess(createStub({ rateLimit: 5000 }), { maxImages: 40 }));
  const { requirements } = await audit(target, { seed: 1, observe: false, timer: skippingTimer(() => undefined) });
  return requirements.filter((each) => each.status === 'not-tested' && !awaitsRefusal(each)).map(({ id }) => id);
}

/** Returns a small set of roles whose keys suffice to test a requirement. */
async function rolesFor(id: string): Promise<readonly Role[]> {
  let kept: readonly Role[] = otherRoles;
  for (const role of otherRoles) {
    const fewer = kept.filter((each) => each !== role);
    if (!(await untestedOn(withRoles(fewer))).includes(id)) kept = fewer;
  }
  return kept;
}

/** Returns the file with the needs of each requirement, found by removing them from the embedded stub one by one. */
async function needsPage(): Promise<string> {
  const needs: Record<string, Need[]> = {};
  const add = (id: string, need: Need) => {
    needs[id] = [...(needs[id] ?? []), need];
  };
  for (const [need, of] of lacks) for (const id of await untestedOn(of)) add(id, need);
  // Some requirements need one of several keys.
  const tested = new Map<Role, ReadonlySet<string>>();
  const alone = await untestedOn(withRoles([]));
  for (const role of otherRoles) {
    const untested = new Set(await untestedOn(withRoles([role])));
    tested.set(role, new Set(alone.filter((id) => !untested.has(id))));
  }
  for (const id of alone.filter((each) => !needs[each]?.some(({ kind }) => kind === 'role'))) {
    const [role, ...or] = otherRoles.filter((each) => tested.get(each)?.has(id));
    if (role !== undefined) add(id, { kind: 'role', role, or });
    else for (const each of await rolesFor(id)) add(id, { kind: 'role', role: each });
  }
  const lines = Object.entries(needs).map(([id, all]) => `  '${id}': [${all.map(wordsOf).join(', ')}],\n`);
  return `// Written by npm run generate.
import type { Need } from '../side-effects.ts';

/** What a requirement cannot be tested without, beside a key for \`primary\`, by its id. */
export const needs: Readonly<Record<string, readonly Need[]>> = {
${lines.join('')}};
`;
}

const wordsOf = (need: Need): string =>
  `{ ${Object.entries(need)
    .map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll('"', "'")}`)
    .join(', ')} }`;

if (import.meta.main) writeFileSync(needsFile, await needsPage());
