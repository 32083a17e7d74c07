import { clientRules } from '../rules/clients/index.ts';
import type { ClientRule } from '../rules/rule.ts';
import type { Target } from '../target.ts';
import type { Assumption } from './assumptions.ts';

/** Rules for the client of recorded traffic: only of keys that are shown, or given, can be told where they stand. */
export function clientRulesFor(target: Target | undefined, assumed: readonly Assumption[]): readonly ClientRule[] {
  const isShown = target !== undefined || !assumed.includes('one-key');
  return clientRules.filter(({ id }) => isShown || !id.startsWith('client-keys.'));
}
