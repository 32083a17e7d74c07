import type { z } from 'zod';
import type { Source } from '../../fixtures/contract/enums.ts';
import type { ArgumentsOf, ToolName, WorkspaceScopedTool } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { WriteId } from '../../fixtures/world/identifiers.ts';
import type { CodeName } from './codes.ts';
import type { StubRequest } from './handle.ts';
import type { ApiResponse } from './responses.ts';
import type { Confirmation, Confirmations } from './state/confirmations.ts';
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
  readonly behavior: Behavior;
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

/** A step either responds, and the call ends, or lets the call pass on. */
export type Step = (call: Call) => ApiResponse | undefined;

/** What every tool knows about its call. */
export interface ToolCall<T extends ToolName> {
  readonly state: State;
  readonly behavior: Behavior;
  readonly request: StubRequest;
  readonly key: KeyState;
  readonly account: AccountState;
  readonly args: ArgumentsOf<T>;
  readonly place: T extends WorkspaceScopedTool ? Place : undefined;
}

export type Tool<T extends ToolName> = (call: ToolCall<T>) => ApiResponse;

export type Tools = { readonly [T in ToolName]: Tool<T> };

/** The steps that a request meets, by name. */
export interface Steps {
  readonly route: Step;
  readonly authenticate: Step;
  readonly surface: Step;
  readonly rateLimit: Step;
  readonly findTool: Step;
  readonly readBody: Step;
  readonly checkArguments: Step;
  readonly resolveWorkspace: Step;
  readonly runTool: Step;
}

/**
 * Everything that decides how the stub behaves, as one value. A deviation replaces or wraps one member and leaves
 * the others alone.
 */
export interface Behavior {
  /** Path of the base URL, empty or like `/edge/v9`. */
  readonly basePath: string;
  /** Roles whose keys are handed out; the others have theirs all the same. */
  readonly roles: readonly Role[];
  readonly writeId: WriteId;
  /** In which order the steps are met. */
  readonly order: readonly (keyof Steps)[];
  readonly steps: Steps;
  readonly tools: Tools;
  /** Schemas in place of those of the contract. */
  readonly argumentSchemas: Readonly<Partial<Record<ToolName, z.ZodType<Record<string, unknown>>>>>;
  /** Who says `invalid_arguments`: the specification does not tell, and the tool-error header differs. */
  readonly argumentsRefusedBy: 'boundary' | 'tool';
  readonly rungs: readonly (readonly [Source, Rung])[];
  readonly codes: Readonly<Record<CodeName, string>>;
  readonly rate: {
    readonly windowSeconds: number;
    /** Whose calls are counted together. */
    readonly bucket: (call: Call) => string;
    /** How many requests a window has room for. */
    readonly limit: (key: KeyState) => number;
  };
  readonly confirmations: {
    readonly lifetimeSeconds: number;
    /** Whether a confirmation may be used by a call. */
    readonly accepts: (held: Confirmation, call: ToolCall<'images.generate'>) => boolean;
    readonly consume: (store: Confirmations, held: Confirmation) => void;
  };
  readonly images: {
    readonly creditsEach: number;
    /** An aspect ratio that is accepted, for configurations. */
    readonly shape: string;
  };
  /** Longest array that is told to be malformed rather than too large. */
  readonly batchLimit: number;
  /** First day of a week, counted from Sunday as 0. */
  readonly firstWeekday: number;
  /** The last look at every response before it is written out. */
  readonly finish: (response: ApiResponse, call: Call) => ApiResponse;
  readonly write: (body: ApiResponse['body'], call: Call) => string;
}

/** A way to settle the workspace: the slug that it gives, if any. */
export type Rung = (key: KeyState, asked: string | undefined) => string | null | undefined;

/** A way to differ: behavior in, behavior out, with one thing changed. Whether that conforms is not its business. */
export type Deviation = (behavior: Behavior) => Behavior;

/** What an earlier step must have found out. A rule book that puts its steps into an impossible order fails loudly. */
export function settled<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The steps are in an impossible order: no ${what} yet.`);
  return value;
}
