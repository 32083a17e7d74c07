import { clientRules } from '../clients/index.ts';
import { requiredIds, selectRequirements } from '../engine/selection.ts';
import { requirements } from '../requirements.ts';
import type { Target } from '../target/target.ts';
import { rules } from '../topics/index.ts';
import type { Assumption } from './recorded.ts';
import { Senders } from './senders.ts';

/** Statements of the user about recorded traffic, and the choice of parts to judge. */
export interface TrafficOptions {
  /** Globs or topics of requirements to judge. */
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[] | undefined;
  /** Globs or topics of requirements that must be tested. */
  readonly require: readonly string[] | undefined;
  readonly target: Target | undefined;
  readonly assumed: readonly Assumption[];
  readonly label: string | undefined;
  /** True to judge the client, too. All requests must then come from one client. */
  readonly client: boolean;
}

/**
 * Returns the requirements to judge, and the options for judging. Throws a `UsageError` if a pattern selects nothing,
 * including the patterns of `require`.
 */
export function judgingOf(options: TrafficOptions) {
  const { target, assumed, client, only, skip, require } = options;
  requiredIds(requirements, require);
  const selected = new Set(selectRequirements(requirements, only, skip).map(({ id }) => id));
  const chosen = rules.filter(({ id }) => selected.has(id));
  const senders = new Senders(target, assumed.includes('one-key'));
  const ways = { rules: chosen, senders, target, assumed };
  // Rules on keys need keys that are visible or configured.
  const isShown = target !== undefined || !assumed.includes('one-key');
  const ofClient = clientRules.filter(({ id }) => isShown || !id.startsWith('client-keys.'));
  return { selected, ways: client ? { ...ways, clientRules: ofClient } : ways };
}
