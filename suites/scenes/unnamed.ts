import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, body, header, isRefusal, isSuccess } from '../exchange.ts';
import { describeAnswer } from '../expect/answers.ts';
import type { Finding } from '../finding.ts';
import { brief } from '../json.ts';

/** A refusal by the tool itself: a workspace was resolved, and the tool declined for a reason of its own. */
export function isOwnRefusal(answer: Answered): boolean {
  return isRefusal(answer) && header(answer, 'x-service-tool-error') === 'false';
}

/** The workspace that the key of a role works in by itself; undefined where no answer told it. */
export async function ownWorkspace(t: Context, role: Role): Promise<string | undefined> {
  const answer = await t.call('schedule.read', {}, { as: role });
  const { workspace } = body(answer);
  return isSuccess(answer) && typeof workspace === 'string' ? workspace : undefined;
}

/**
 * Whether a tool that refused a call without `workspace` does the same when the call names the workspace that its key works in by
 * itself: nothing where it refuses that too, since what the holder of a key may do besides is not known.
 */
export async function onlyWhenNamed(
  t: Context,
  tool: ToolName,
  refused: Answered,
  role: Role,
  serves: (named: Answered) => boolean,
): Promise<Finding | undefined> {
  const workspace = await ownWorkspace(t, role);
  if (workspace === undefined) return undefined;
  const args: Args = { ...refused.request.args, workspace };
  const named = await t.call(tool, args, { as: role });
  if (!serves(named)) return undefined;
  return {
    expected: `${tool} to work without workspace for the key in the role '${role}', as it does with ${brief(workspace)}`,
    actual: describeAnswer(refused),
    hint: 'workspace may be left out: the pin, the stored default or the only workspace in reach stands for it, as in the tools that read',
    exchanges: [refused, named],
  };
}
