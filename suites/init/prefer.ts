import { type Role, roleEnv, roles } from '../../fixtures/roles.ts';
import type { CandidateKey } from './probe.ts';

/**
 * Returns the best key for a role, judged by the names of the variables; undefined if there are no keys. Keys named for
 * the role come first (`TCK_KEY_PRIMARY`, `PRIMARY`), then keys named for no role. Between equals, the order of the
 * keys decides.
 */
export function preferred<Key extends CandidateKey>(role: Role, keys: readonly Key[]): Key | undefined {
  return keys.toSorted((one, other) => strangeness(one, role) - strangeness(other, role))[0];
}

/** Distributes keys among roles that any of them can have: first by the names of their variables, then in order. */
export function shareOut<Key extends CandidateKey>(among: readonly Role[], keys: readonly Key[]): Map<Role, Key> {
  const shared = new Map<Role, Key>();
  const free = () => keys.filter((key) => ![...shared.values()].includes(key));
  const keysNamedFor = (role: Role) => free().filter((key) => strangeness(key, role) === 0);
  for (const candidates of [keysNamedFor, free]) {
    for (const role of among) {
      const key = shared.has(role) ? undefined : preferred(role, candidates(role));
      if (key !== undefined) shared.set(role, key);
    }
  }
  return shared;
}

/** Returns how badly the name of a key's variable fits a role: 0 for this role, 1 for no role, 2 for another role. */
export function strangeness({ variable }: CandidateKey, role: Role): number {
  if (isNamedFor(variable, role)) return 0;
  return roles.some((other) => isNamedFor(variable, other)) ? 2 : 1;
}

/** The last role in the name of a variable counts, so `SOLE_PRIMARY` names `primary`. */
function isNamedFor(variable: string, role: Role): boolean {
  const position = (name: Role) =>
    `_${variable.toUpperCase()}_`.lastIndexOf(`${roleEnv(name).replace('TCK_KEY', '')}_`);
  return position(role) >= 0 && roles.every((other) => position(other) <= position(role));
}
