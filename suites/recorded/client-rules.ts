import { clientRules } from '../rules/clients/index.ts';
import type { ClientRule } from '../rules/rule.ts';
import type { Target } from '../target.ts';
import type { Assumption } from './assumptions.ts';

/** Rules for the client of recorded traffic: where its keys stand can be told of keys alone that are shown, or given. */
export function clientRulesFor(target: Target | undefined, assumed: readonly Assumption[]): readonly ClientRule[] {
  const isShown = target !== undefined || !assumed.includes('one-key');
  return clientRules.filter(({ id }) => isShown || !id.startsWith('client-keys.'));
}
