import type { WorkspaceScopedTool } from '../../../fixtures/contract/tools.ts';
import type { Behavior, Place, Tool, ToolCall } from '../behavior.ts';
import type { Remembered, WorkspaceState } from '../state/state.ts';

const longestKey = 120;

/**
 * A reading tool that gives the same response, the very object, for as long as nothing has changed that it rests on:
 * the arguments, what was added to the workspace, the behavior, and the minute, since nothing in the calendar falls
 * between two. What was asked for lately is at hand, as far as the stub's memory allows; the text of such a response is
 * written once.
 */
export function remembered<T extends WorkspaceScopedTool>(
  name: T,
  keyOf: (args: ToolCall<T>['args']) => string,
  tool: Tool<T>,
): Tool<T> {
  return (call) => {
    const { state, behavior, args } = call;
    const { workspace, source } = placeOf(call);
    const key = `${name} ${source} ${keyOf(args)}`;
    const minute = Math.floor(state.clock.now() / 60_000);
    const known = workspace.atHand.get(key);
    if (known !== undefined && isCurrent(known, behavior, state.version(), workspace, minute)) {
      const { body } = known.response;
      if (!state.texts.has(body)) state.texts.set(body, JSON.stringify(body));
      return known.response;
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

/** A tool that is workspace-scoped has a place; the compiler cannot follow that through the conditional type. */
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
