import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Target } from '../target.ts';
import { rules } from '../topics/index.ts';
import type { Assumption } from './assumptions.ts';
import { clientRulesFor } from './client-rules.ts';
import type { Ways } from './recording.ts';
import { type Selection, selectedBy } from './selected.ts';
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
