import { clientRules } from '../rules/clients/index.ts';
import type { ClientRule } from '../rules/rule.ts';
import type { Target } from '../target.ts';

/** Rules for the client of recorded traffic: where its keys stand can be told of known keys alone. */
export function clientRulesFor(target: Target | undefined): readonly ClientRule[] {
  return clientRules.filter(({ id }) => target !== undefined || !id.startsWith('client-keys.'));
}
