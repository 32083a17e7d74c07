import type { WorkspaceScopedTool } from '../../../fixtures/contract/tools.ts';
import type { Behavior, Place, ToolCall } from '../behavior.ts';
import type { ApiResponse } from '../responses.ts';
import type { Remembered, WorkspaceState } from '../state/state.ts';

const longestKey = 120;

/**
 * Caches the responses of a read-only tool. A cached response is valid while its arguments, workspace, behavior and
 * minute are unchanged. Minutes suffice, because the calendar changes only on full minutes. A repeated response is
 * serialized once.
 */
export function remembered<T extends WorkspaceScopedTool, R extends ApiResponse>(
  name: T,
  keyOf: (args: ToolCall<T>['args']) => string,
  tool: (call: ToolCall<T>) => R,
): (call: ToolCall<T>) => R {
  return (call) => {
    const { state, behavior, args } = call;
    const { workspace, source } = placeOf(call);
    const key = `${name} ${source} ${keyOf(args)}`;
    const minute = Math.floor(state.clock.now() / 60_000);
    const known = workspace.atHand.get(key);
    if (known !== undefined && isCurrent(known, behavior, state.version(), workspace, minute)) {
      const { body } = known.response;
      if (!state.texts.has(body)) state.texts.set(body, JSON.stringify(body));
      // The cache key contains the tool name, so this is a response of `tool`.
      return known.response as R;
    }
    const response = tool(call);
    const most = state.answersAtHand();
    if (most > 0 && key.length <= longestKey) {
      workspace.atHand.delete(key);
      const [oldest] = workspace.atHand.size >= most ? workspace.atHand.keys() : [];
      if (oldest !== undefined) workspace.atHand.delete(oldest);
      workspace.atHand.set(key, { response, behavior, ...versionOf(state.version(), workspace), minute });
    }
    return response;
  };
}

/** Workspace-scoped tools always have a place. TypeScript cannot infer that through the conditional type. */
function placeOf<T extends WorkspaceScopedTool>({ place }: ToolCall<T>): Place {
  return place as Place;
}

function versionOf(version: number, workspace: WorkspaceState) {
  const { requested, generated } = workspace;
  return { workspace, version, requested: requested.length, generated: generated.length };
}

function isCurrent(
  known: Remembered,
  behavior: Behavior,
  version: number,
  workspace: WorkspaceState,
  minute: number,
): boolean {
  const { requested, generated } = workspace;
  return (
    known.workspace === workspace &&
    known.minute === minute &&
    known.behavior === behavior &&
    known.version === version &&
    known.requested === requested.length &&
    known.generated === generated.length
  );
}
