import type { z } from 'zod';
import { argumentSchemas } from '../../fixtures/contract/arguments.ts';
import { boundaryCodes, refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Source, ToolName } from '../../fixtures/contract/tools.ts';
import { type Role, roles } from '../../fixtures/roles.ts';
import { prefixedId, type WriteId } from '../../fixtures/world/identifiers.ts';
import type { Call, Step, ToolCall, Tools } from './call.ts';
import type { Answer } from './responses.ts';
import type { Confirmation, Confirmations } from './state/confirmations.ts';
import type { KeyState } from './state/state.ts';
import { authenticate } from './steps/authenticate.ts';
import { checkArguments } from './steps/check-arguments.ts';
import { findTool } from './steps/find-tool.ts';
import { rateLimit } from './steps/rate-limit.ts';
import { readBody } from './steps/read-body.ts';
import { type Rung, resolveWorkspace, rungs } from './steps/resolve-workspace.ts';
import { route } from './steps/route.ts';
import { runTool } from './steps/run-tool.ts';
import { surface } from './steps/surface.ts';
import { boundedImagesArguments } from './tools/images-arguments.ts';
import { tools } from './tools/index.ts';

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
 * Everything that decides how the stub behaves, as one value. A deviation, conforming or not, is a function from rules to rules:
 * it replaces or wraps one member and leaves the others alone.
 */
export interface Rules {
  /** Path of the base URL, empty or like `/edge/v9`. */
  readonly basePath: string;
  /** Roles whose keys are handed out; the others have theirs all the same. */
  readonly roles: readonly Role[];
  readonly writeId: WriteId;
  /** In which order the steps are met. */
  readonly order: readonly (keyof Steps)[];
  readonly steps: Steps;
  readonly tools: Tools;
  readonly argumentSchemas: Readonly<Record<ToolName, z.ZodType<Record<string, unknown>>>>;
  /** Who says `invalid_arguments`: the document does not tell, and the tool-error header differs. */
  readonly argumentsRefusedBy: 'boundary' | 'tool';
  readonly rungs: readonly (readonly [Source, Rung])[];
  readonly codes: Readonly<Record<CodeName, string>>;
  readonly rate: {
    readonly windowSeconds: number;
    /** Whose calls are counted together. */
    readonly bucket: (call: Call) => string;
    /** How many calls a window has room for. */
    readonly cap: (key: KeyState) => number;
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
  /** The last look at every answer before it is written out. */
  readonly finish: (answer: Answer, call: Call) => Answer;
  readonly write: (body: Answer['body'], call: Call) => string;
}

export type CodeName =
  | keyof typeof refusalCodes
  | keyof Omit<typeof boundaryCodes, 'surfaceDisabled'>
  | keyof typeof ownCodes;

/** Codes that the document does not show; these are the stub's own, and clients should not rely on them. */
const ownCodes = {
  unauthenticated: 'tenant_api.credential_refused',
  accountSwitchOff: boundaryCodes.surfaceDisabled,
  platformSwitchOff: 'tenant_mcp.platform_disabled',
  withoutAccess: 'tenant_mcp.capability_missing',
  noSuchTool: 'tenant_api.no_such_tool',
  noSuchPath: 'tenant_api.no_such_path',
  methodNotAllowed: 'tenant_api.method_not_allowed',
  bodyTooLarge: 'tenant_api.body_too_large',
  workspaceUnreachable: 'workspace_unreachable',
  itemNotFound: 'item_not_found',
  insufficientCredits: 'insufficient_credits',
};

/** How the document wants it, and one plausible choice wherever it leaves room. */
export const conforming: Rules = {
  basePath: '',
  roles,
  writeId: prefixedId,
  order: [
    'route',
    'authenticate',
    'surface',
    'rateLimit',
    'findTool',
    'readBody',
    'checkArguments',
    'resolveWorkspace',
    'runTool',
  ],
  steps: {
    route,
    authenticate,
    surface,
    rateLimit,
    findTool,
    readBody,
    checkArguments,
    resolveWorkspace,
    runTool,
  },
  tools,
  argumentSchemas: { ...argumentSchemas, 'images.generate': boundedImagesArguments },
  argumentsRefusedBy: 'tool',
  rungs,
  codes: { ...refusalCodes, ...boundaryCodes, ...ownCodes },
  rate: {
    windowSeconds: 60,
    bucket: (call) => call.key?.secret ?? '',
    cap: (key) => key.cap,
  },
  confirmations: {
    lifetimeSeconds: 30 * 60,
    accepts: (held, { state, rules, account, place }) =>
      held.account === account.id &&
      held.workspace === place.workspace.content.slug &&
      state.clock.now() - held.issuedAt < rules.confirmations.lifetimeSeconds * 1000,
    consume: (store, held) => store.consume(held.id),
  },
  images: { creditsEach: 4, shape: '1:1' },
  batchLimit: 100,
  firstWeekday: 1,
  finish: (answer) => answer,
  write: (body, { state }) => state.texts.get(body) ?? JSON.stringify(body),
};
