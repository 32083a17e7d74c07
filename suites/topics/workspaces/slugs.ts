import type { Role } from '../../../fixtures/roles.ts';
import type { Completed } from '../../history/exchange.ts';
import { slugsIn } from '../../situations/choices.ts';
import { ownWorkspace } from '../requests/read-all.ts';
import type { Steps } from '../steps.ts';

/** Most slugs of one refusal to try. */
const mostChoices = 10;

/** Names each workspace that the refusals list, once, with the key of the refusal. */
export async function nameListed(
  t: Steps,
  refusals: readonly Completed[],
  as: Role,
  tried: Set<string> = new Set(),
): Promise<void> {
  for (const workspace of refusals.flatMap((refusal) => slugsIn(refusal).slice(0, mostChoices))) {
    if (tried.has(workspace)) continue;
    tried.add(workspace);
    await t.send('request a listed workspace', { tool: 'schedule.read', args: { workspace }, as });
  }
}

/** Returns a workspace that the key in the role `sole` does not reach, or undefined if none is known. */
export async function beyondSole(t: Steps): Promise<string | undefined> {
  const own = t.has('sole') ? await ownWorkspace(t, 'sole') : undefined;
  const { workspace, otherWorkspace } = t.deployment;
  return own === undefined ? undefined : [workspace, otherWorkspace].find((slug) => slug !== undefined && slug !== own);
}

export const beyond = async (t: Steps) =>
  (await beyondSole(t)) ?? t.cannot("no result for the key in the role 'sole' names its workspace");
