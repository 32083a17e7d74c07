import type { z } from 'zod';
import { boundaryCodes, refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Source } from '../../fixtures/contract/enums.ts';
import type { ArgumentsOf, ResultOf, ToolName, WorkspaceScopedTool } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { WriteId } from '../seeded/random.ts';
import type { StubRequest } from './handle.ts';
import type { ApiResponse, Refused } from './responses.ts';
import type { AccountState, Confirmation, Confirmations, KeyState, State, WorkspaceState } from './state/state.ts';

/** Codes that the specification does not define. Clients must not rely on them. */
const ownCodes = {
  noSuchPath: 'tenant_api.no_such_path',
  methodNotAllowed: 'tenant_api.method_not_allowed',
  bodyTooLarge: 'tenant_api.body_too_large',
  workspaceUnreachable: 'workspace_unreachable',
  itemNotFound: 'item_not_found',
  insufficientCredits: 'insufficient_credits',
};

/** All error codes of the stub. */
export const codes = { ...refusalCodes, ...boundaryCodes, ...ownCodes };

export type CodeName = keyof typeof codes;

/** The workspace of a request, and the rung that selected it. */
export interface Place {
  readonly workspace: WorkspaceState;
  readonly source: Source;
}

/** A request that passes through the steps. Each step adds its results. */
export interface Call {
  readonly request: StubRequest;
  readonly state: State;
  readonly behavior: Behavior;
  /** The last part of the path, even if no tool has that name. */
  toolName: string;
  tool: ToolName | undefined;
  key: KeyState | undefined;
  /** The parsed body; an empty object if the request has none. */
  body: Readonly<Record<string, unknown>>;
  /** The body after validation by the tool's schema. */
  args: Readonly<Record<string, unknown>>;
  place: Place | undefined;
}

/** Returns a response to end processing, or undefined to continue with the next step. */
export type Step = (call: Call) => ApiResponse | undefined;

/** Context of a tool. */
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

type Tools = { readonly [T in ToolName]: Tool<T> };

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** A conforming tool returns a refusal or a result that matches its declared schema. */
export type ConformingTool<T extends ToolName> = (
  call: ToolCall<T>,
) => ApiResponse<DeepReadonly<ResultOf<T>> | Refused>;

export type ConformingTools = { readonly [T in ToolName]: ConformingTool<T> };

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

/** Everything that determines how the stub behaves. A deviation replaces or wraps one member. */
export interface Behavior {
  /** Path of the base URL; empty, or for example `/edge/v9`. */
  readonly basePath: string;
  /** Roles whose keys are listed to clients. The other roles have working keys too. */
  readonly roles: readonly Role[];
  readonly writeId: WriteId;
  /** Execution order. */
  readonly order: readonly (keyof Steps)[];
  readonly steps: Steps;
  readonly tools: Tools;
  /** Schemas that override the contract. */
  readonly argumentSchemas: Readonly<Partial<Record<ToolName, z.ZodType<Record<string, unknown>>>>>;
  /** Sender of `invalid_arguments`. The specification does not define it, and it affects the tool-error header. */
  readonly argumentsRefusedBy: 'boundary' | 'tool';
  readonly rungs: readonly (readonly [Source, Rung])[];
  readonly codes: Readonly<Record<CodeName, string>>;
  readonly rate: {
    readonly windowSeconds: number;
    /** Returns the bucket of a request. Requests in the same bucket share a limit. */
    readonly bucket: (call: Call) => string;
    /** Maximum number of requests per window. */
    readonly limit: (key: KeyState) => number;
  };
  readonly confirmations: {
    readonly lifetimeSeconds: number;
    /** Whether a request can use this confirmation. */
    readonly accepts: (held: Confirmation, call: ToolCall<'images.generate'>) => boolean;
    readonly consume: (store: Confirmations, held: Confirmation) => void;
  };
  readonly images: {
    readonly creditsEach: number;
    /** A valid aspect ratio, for client configurations. */
    readonly shape: string;
  };
  /** Arrays up to this length are rejected as malformed; longer ones as too large. */
  readonly batchLimit: number;
  /** First day of the week; 0 is Sunday. */
  readonly firstWeekday: number;
  /** Modifies a response before it is serialized. */
  readonly finish: (response: ApiResponse, call: Call) => ApiResponse;
  readonly write: (body: ApiResponse['body'], call: Call) => string;
}

/** A rule that selects a workspace. Returns its slug, or null or undefined to continue with the next rung. */
export type Rung = (key: KeyState, asked: string | undefined) => string | null | undefined;

/** Changes one aspect of a behavior. The result can be conforming or defective. */
export type Deviation = (behavior: Behavior) => Behavior;

/** Returns a value that an earlier step must have set. Throws if the order of the steps is impossible. */
export function settled<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The steps are in an impossible order: no ${what} yet.`);
  return value;
}
