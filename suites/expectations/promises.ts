import { isToolName, tools } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Completed } from '../history/exchange.ts';
import type { Seen } from '../situations/seen.ts';
import type { Wanted } from '../situations/successes.ts';
import type { Twin } from './rule.ts';

/** Returns the requirement that guarantees the success of a plain request of this tool. */
export function promisedBy(tool: string | null): RequirementId {
  return tools[tool !== null && isToolName(tool) ? tool : 'schedule.read'].success;
}

/** Twin: the same request with any texts, which succeeded. `how` changes what must be the same. */
export function sameRequest({ sender, request }: Completed, seen: Seen, how: Partial<Wanted> = {}): Twin {
  const wanted = { role: sender.role, tool: request.tool ?? '', args: request.args ?? {}, ...how };
  return { succeeded: seen.successes.has(wanted), promisedBy: promisedBy(wanted.tool) };
}
