import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { clientRules } from '../clients/index.ts';
import { requiredIds, selectRequirements } from '../engine/selection.ts';
import type { ClientRule } from '../expectations/rule.ts';
import { requirements } from '../requirements.ts';
import type { Target } from '../target/target.ts';
import { rules } from '../topics/index.ts';
import type { Assumption } from './recorded.ts';
import type { Ways } from './recording.ts';
import { Senders } from './senders.ts';

/** Statements of the user about recorded traffic, and the choice of parts to judge. */
export interface TrafficOptions extends Selection {
  readonly target: Target | undefined;
  readonly assumed: readonly Assumption[];
  readonly label: string | undefined;
  /** True to judge the client, too. All requests must then come from one client. */
  readonly client: boolean;
}

/** Returns the requirements to judge, and the options for judging. */
export function judgingOf(options: TrafficOptions): {
  readonly selected: ReadonlySet<RequirementId>;
  readonly ways: Omit<Ways, 'baseUrl'>;
} {
  const { target, assumed, client } = options;
  const selected = selectedBy(options);
  const chosen = rules.filter(({ id }) => selected.has(id));
  const senders = new Senders(target, assumed.includes('one-key'));
  const more = client ? { clientRules: clientRulesFor(target, assumed) } : {};
  return { selected, ways: { rules: chosen, senders, target, assumed, ...more } };
}

/** Returns the rules for the client of recorded traffic. Rules on keys need keys that are visible or configured. */
export function clientRulesFor(target: Target | undefined, assumed: readonly Assumption[]): readonly ClientRule[] {
  const isShown = target !== undefined || !assumed.includes('one-key');
  return clientRules.filter(({ id }) => isShown || !id.startsWith('client-keys.'));
}

/** Requirements to judge, and requirements that must be tested. */
export interface Selection {
  /** Globs or topics of requirements. */
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[] | undefined;
  readonly require: readonly string[] | undefined;
}

/**
 * Returns the requirements to judge. Throws a `UsageError` if a pattern selects nothing, including the patterns of
 * `require`.
 */
export function selectedBy({ only, skip, require }: Selection): ReadonlySet<RequirementId> {
  requiredIds(requirements, require);
  return new Set(selectRequirements(requirements, only, skip).map(({ id }) => id));
}
