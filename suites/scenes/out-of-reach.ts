import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Args, Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';
import { refuses } from '../expect/answers.ts';
import type { Finding } from '../finding.ts';

/** A refusal of a workspace out of reach: any code, the boundary's header; or `invalid_arguments`. */
export function refusesWorkspace(exchange: Answered, what: string): Finding | undefined {
  const hint = `${exchange.request.tool} must refuse ${what}: a result would be about a workspace that nobody asked for`;
  return refuses(exchange, undefined, hint);
}

/** A call that is good but for its workspace, which its key cannot reach. */
export function callOutOfReach(
  t: Context,
  tool: ToolName,
  args: Args,
  workspace: string,
  as: Role = 'primary',
): Promise<Answered> {
  return t.call(tool, { ...args, workspace }, { as, outOfReach: true });
}

/** Keys to name a wrong workspace with: the usual one, and one that has a workspace of its own to fall back to. */
export function fallible(t: Context): Role[] {
  const own = (['defaulted', 'sole'] as const).find((role) => t.has(role));
  return own === undefined ? ['primary'] : ['primary', own];
}

/** A slug that no workspace has. */
export const unknownWorkspace = (t: Context) => `tck-${t.text('unknown workspace')}`;
