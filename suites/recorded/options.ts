import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { rules } from '../rules/index.ts';
import type { Target } from '../target.ts';
import type { Assumption } from './assumptions.ts';
import { clientRulesFor } from './client-rules.ts';
import type { Ways } from './recording.ts';
import { type Selection, selectedBy } from './selected.ts';
import { Senders } from './senders.ts';

/** What the user of a command says about traffic that others made, and of what is judged in it. */
export interface TrafficOptions extends Selection {
  readonly target: Target | undefined;
  readonly assumed: readonly Assumption[];
  readonly label: string | undefined;
  /** Whether the client is judged too: all requests are of one. */
  readonly client: boolean;
  /** Whether headers, query values and bodies are written as they are, except for secrets that are known. */
  readonly recordAll?: boolean | undefined;
}

/** The requirements that are judged, and what traffic is judged with. */
export function judgingOf(options: TrafficOptions): {
  readonly selected: ReadonlySet<RequirementId>;
  readonly ways: Omit<Ways, 'baseUrl'>;
} {
  const { target, assumed, client, recordAll = false } = options;
  const selected = selectedBy(options);
  const chosen = rules.filter(({ id }) => selected.has(id));
  const senders = new Senders(target, assumed.includes('one-key'));
  const more = client ? { clientRules: clientRulesFor(target, assumed) } : {};
  return { selected, ways: { rules: chosen, senders, target, assumed, recordAll, ...more } };
}
