import { type Role, roleEnv, roles } from '../../fixtures/roles.ts';
import type { CandidateKey } from './probe.ts';

/**
 * The best of keys that could play a role alike, by the names of their variables: one that is named for it
 * (`TCK_KEY_PRIMARY`, `PRIMARY`), then one that is named for no role. The order of the keys decides between equals;
 * undefined where there is none.
 */
export function preferred<Key extends CandidateKey>(role: Role, keys: readonly Key[]): Key | undefined {
  return keys.toSorted((one, other) => strangeness(one, role) - strangeness(other, role))[0];
}

/** Shares keys out among roles that each of them could play: first to those that they are named for, then in order. */
export function shareOut<Key extends CandidateKey>(among: readonly Role[], keys: readonly Key[]): Map<Role, Key> {
  const shared = new Map<Role, Key>();
  const free = () => keys.filter((key) => ![...shared.values()].includes(key));
  const named = (role: Role) => free().filter((key) => strangeness(key, role) === 0);
  for (const candidates of [named, free]) {
    for (const role of among) {
      const key = shared.has(role) ? undefined : preferred(role, candidates(role));
      if (key !== undefined) shared.set(role, key);
    }
  }
  return shared;
}

/** How little the name of a key's variable speaks for a role: 0 where it is named for it, 2 where for another. */
export function strangeness({ variable }: CandidateKey, role: Role): number {
  if (isNamedFor(variable, role)) return 0;
  return roles.some((other) => isNamedFor(variable, other)) ? 2 : 1;
}

/** The last role in the name of a variable counts: `SOLE_PRIMARY` names primary. */
function isNamedFor(variable: string, role: Role): boolean {
  const position = (name: Role) =>
    `_${variable.toUpperCase()}_`.lastIndexOf(`${roleEnv(name).replace('TCK_KEY', '')}_`);
  return position(role) >= 0 && roles.every((other) => position(other) <= position(role));
}
