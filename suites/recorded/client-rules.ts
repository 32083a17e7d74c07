import { clientRules } from '../clients/index.ts';
import type { ClientRule } from '../expectations/rule.ts';
import type { Target } from '../target.ts';
import type { Assumption } from './assumptions.ts';

/** Returns the rules for the client of recorded traffic. Rules on keys need keys that are visible or configured. */
export function clientRulesFor(target: Target | undefined, assumed: readonly Assumption[]): readonly ClientRule[] {
  const isShown = target !== undefined || !assumed.includes('one-key');
  return clientRules.filter(({ id }) => isShown || !id.startsWith('client-keys.'));
}
