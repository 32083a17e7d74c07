import type { ArgumentsOf } from '../../fixtures/contract/arguments.ts';
import type { Source, ToolName, WorkspaceScopedTool } from '../../fixtures/contract/tools.ts';
import type { StubRequest } from './handle.ts';
import type { Answer } from './responses.ts';
import type { Rules } from './rules.ts';
import type { AccountState, KeyState, State, WorkspaceState } from './state/state.ts';

/** The workspace that a call runs in, and which rung settled it. */
export interface Place {
  readonly workspace: WorkspaceState;
  readonly source: Source;
}

/** A request on its way through the steps; each step fills in what it found out. */
export interface Call {
  readonly request: StubRequest;
  readonly state: State;
  readonly rules: Rules;
  /** What the path gave as the tool's name. */
  toolName: string;
  tool: ToolName | undefined;
  key: KeyState | undefined;
  /** The body as it came, an empty object when it was left out. */
  body: Readonly<Record<string, unknown>>;
  /** The body after the tool's schema has accepted it. */
  args: Readonly<Record<string, unknown>>;
  place: Place | undefined;
}

/** A step either answers, and the call ends, or lets the call pass on. */
export type Step = (call: Call) => Answer | undefined;

/** What every tool knows about its call. */
export interface ToolCall<T extends ToolName> {
  readonly state: State;
  readonly rules: Rules;
  readonly request: StubRequest;
  readonly key: KeyState;
  readonly account: AccountState;
  readonly args: ArgumentsOf<T>;
  readonly place: T extends WorkspaceScopedTool ? Place : undefined;
}

export type Tool<T extends ToolName> = (call: ToolCall<T>) => Answer;

export type Tools = { readonly [T in ToolName]: Tool<T> };

/** What an earlier step must have found out. A rule book that puts its steps into an impossible order fails loudly. */
export function settled<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The steps are in an impossible order: no ${what} yet.`);
  return value;
}
