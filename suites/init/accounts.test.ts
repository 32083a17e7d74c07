import { expect, test } from 'vitest';
import { type Role, roleEnv } from '../../fixtures/roles.ts';
import type { World } from '../../test/third-server/model.ts';
import { startThirdServer } from '../../test/third-server/server.ts';
import { workspace } from '../../test/third-server/world.ts';
import { assignRoles, preferred, strangeness } from './assign.ts';
import { probe } from './probe.ts';

type Named = Readonly<Record<string, Role>>;

/** Returns the variable that `assignRoles` chooses for each role, on a server with this world. */
async function rolesOf(world: (world: World) => unknown, roleOfVariable: Named) {
  await using server = await startThirdServer({ world });
  const { keys } = server.world;
  const given = Object.entries(roleOfVariable).map(([variable, role]) => ({ variable, key: keys[role].secret }));
  const { keys: found } = assignRoles(await probe(server.baseUrl, given, new AbortController().signal));
  return Object.fromEntries(Object.entries(found).map(([role, { variable }]) => [role, variable]));
}

/** Gives both accounts equal balances and workspaces with the same slug. */
function alike({ credits, keys, workspaces }: World): void {
  credits.meadow = credits.harbour;
  workspaces.set(...workspace('dock', ['brd-91']));
  keys.otherAccount.reach = ['dock'];
}

const roleOfVariable: Named = {
  [roleEnv('otherAccount')]: 'otherAccount',
  [roleEnv('primary')]: 'primary',
  [roleEnv('throttled')]: 'throttled',
};

test('a key that is named for the other account is never exhausted, however alike the accounts are', async () => {
  expect(await rolesOf(alike, roleOfVariable)).toMatchObject({
    primary: 'TCK_KEY_PRIMARY',
    throttled: 'TCK_KEY_THROTTLED',
    otherAccount: 'TCK_KEY_OTHER_ACCOUNT',
  });
  const { [roleEnv('throttled')]: _, ...two } = roleOfVariable;
  const roles = await rolesOf(alike, two);
  expect(roles).toMatchObject({ primary: 'TCK_KEY_PRIMARY', otherAccount: 'TCK_KEY_OTHER_ACCOUNT' });
  expect(roles.throttled).toBeUndefined();
});

test('equal balances alone do not put two keys into one account', async () => {
  const equal = ({ credits }: World) => Object.assign(credits, { meadow: credits.harbour });
  const roles = await rolesOf(equal, { KEY_1: 'otherAccount', KEY_2: 'primary', KEY_3: 'sole' });
  expect(roles).toMatchObject({ primary: 'KEY_2', otherAccount: 'KEY_1' });
  expect(roles.throttled).toBeUndefined();
});

test('balances that differ tell two accounts apart that have a workspace of the same slug', async () => {
  const differing = (world: World) => {
    alike(world);
    world.credits.meadow = 5;
  };
  const roles = await rolesOf(differing, { KEY_1: 'otherAccount', KEY_2: 'primary', KEY_3: 'ambiguous' });
  expect(roles).toMatchObject({ ambiguous: 'KEY_3', otherAccount: 'KEY_1' });
});

test('the account whose key is named for primary is the own one, also where it has fewer keys', async () => {
  const twice = ({ keys }: World) => Object.assign(keys.sole, { account: 'meadow', reach: ['barn'] });
  const roles = await rolesOf(twice, { KEY_1: 'otherAccount', KEY_2: 'sole', STAGING_PRIMARY: 'primary' });
  expect(roles.primary).toBe('STAGING_PRIMARY');
  expect(['KEY_1', 'KEY_2']).toContain(roles.otherAccount);
});

/** A served key of one account, as far as the assignment reads it. */
const served = (variable: string, reach: string[], more: object = {}) =>
  ({ variable, key: `secret-${variable}`, kind: 'served', reach, balance: 5, limit: 0, ...more }) as const;

test('the key with several workspaces and the largest limit is primary, and a key with two roles is told', () => {
  const both = ['north', 'south'];
  const { keys, notices } = assignRoles([
    { ...served('KEY_1', ['north']), source: 'sole-reachable' },
    { ...served('KEY_2', ['north']), source: 'sole-reachable' },
    { ...served('KEY_3', both, { limit: 30 }), source: 'workspace_ambiguous' },
    { ...served('KEY_4', both, { limit: 600 }), source: 'workspace_ambiguous' },
  ]);
  expect([keys.primary?.variable, keys.ambiguous?.variable]).toEqual(['KEY_4', 'KEY_3']);
  const one = assignRoles([{ ...served('KEY_1', both), source: 'stored-default' }]);
  const told = "KEY_1 has two roles, 'primary' and 'defaulted': a second key for one of them tests more";
  expect(one.notices).toEqual([told]);
  expect(notices.join()).not.toContain('two roles');
});

const primary = { variable: 'PRIMARY_K', key: 'a' };
const defaulted = { variable: 'DEFAULTED_K', key: 'b' };

test('a role at the start of a variable name decides between keys that behave alike', () => {
  expect(preferred([primary, defaulted], 'defaulted')).toBe(defaulted);
  expect(preferred([defaulted, primary], 'primary')).toBe(primary);
});

test('the last role in a variable name counts', () => {
  expect(strangeness({ variable: 'SOLE_PRIMARY', key: 'c' }, 'primary')).toBe(0);
  expect(strangeness({ variable: 'SOLE_PRIMARY', key: 'c' }, 'sole')).toBe(2);
});
