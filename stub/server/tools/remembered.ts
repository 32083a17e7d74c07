import type { WorkspaceScopedTool } from '../../../fixtures/contract/tools.ts';
import type { Place, Tool, ToolCall } from '../call.ts';
import type { Answer } from '../responses.ts';
import type { Rules } from '../rules.ts';
import type { WorkspaceState } from '../state/state.ts';

/** An answer with everything that it rests on. */
interface Remembered {
  readonly answer: Answer;
  /** The very object: rules may hand on one that is changed. */
  readonly workspace: WorkspaceState;
  readonly rules: Rules;
  readonly version: number;
  readonly requested: number;
  readonly generated: number;
  readonly minute: number;
}

/** Answers of reading tools that a workspace has at hand, by tool and arguments. */
export type AnswersAtHand = Map<string, Remembered>;

const longestKey = 120;

/**
 * A reading tool that gives the same answer, the very object, for as long as nothing has changed that it rests on: the arguments, what was added to
 * the workspace, the rules, and the minute, since nothing in the calendar falls between two. What was asked for lately is at hand, as far
 * as the stub's memory allows; the text of such an answer is written once.
 */
export function remembered<T extends WorkspaceScopedTool>(
  name: T,
  keyOf: (args: ToolCall<T>['args']) => string,
  tool: Tool<T>,
): Tool<T> {
  return (call) => {
    const { state, rules, args } = call;
    const { workspace, source } = placeOf(call);
    const key = `${name} ${source} ${keyOf(args)}`;
    const minute = Math.floor(state.clock.now() / 60_000);
    const known = workspace.atHand.get(key);
    if (known !== undefined && isCurrent(known, rules, state.version(), workspace, minute)) {
      const { body } = known.answer;
      if (!state.texts.has(body)) state.texts.set(body, JSON.stringify(body));
      return known.answer;
    }
    const answer = tool(call);
    const most = state.answersAtHand();
    if (most > 0 && key.length <= longestKey) {
      workspace.atHand.delete(key);
      const [oldest] = workspace.atHand.size >= most ? workspace.atHand.keys() : [];
      if (oldest !== undefined) workspace.atHand.delete(oldest);
      workspace.atHand.set(key, { answer, rules, ...versionOf(state.version(), workspace), minute });
    }
    return answer;
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
  rules: Rules,
  version: number,
  workspace: WorkspaceState,
  minute: number,
): boolean {
  const { requested, generated } = workspace;
  return (
    known.workspace === workspace &&
    known.minute === minute &&
    known.rules === rules &&
    known.version === version &&
    known.requested === requested.length &&
    known.generated === generated.length
  );
}
