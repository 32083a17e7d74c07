import { isUtf8 } from 'node:buffer';
import type { Source } from '../../fixtures/contract/enums.ts';
import type { Issue } from '../../fixtures/contract/envelopes.ts';
import { isToolName, isWorkspaceScoped, type ToolName, tools, toolsPath } from '../../fixtures/contract/tools.ts';
import { isRecord, parsed } from '../../suites/json.ts';
import { shuffled } from '../seeded/random.ts';
import { type Behavior, type Call, type Rung, type Steps, settled, type ToolCall } from './behavior.ts';
import { bodyLimitBytes, type StubRequest } from './handle.ts';
import { type ApiResponse, boundaryError, rateLimited, refusal } from './responses.ts';
import type { KeyState } from './state/state.ts';

/** In the order of execution. */
export const steps: Steps = {
  /**
   * Extracts the tool name from the path. Accepts only `POST {base}/api/v1/tools/<name>` ("What the service does",
   * rule 1).
   */
  route(call) {
    const { request, behavior } = call;
    const { basePath } = behavior;
    const end = request.path.indexOf('?');
    const path = end === -1 ? request.path : request.path.slice(0, end);
    if (!path.startsWith(basePath) || !path.startsWith(toolsPath, basePath.length))
      return boundaryError(404, behavior.codes.noSuchPath, 'There is nothing at this address.');
    if (request.method !== 'POST') {
      return boundaryError(405, behavior.codes.methodNotAllowed, 'Tools are called by POST.', { allow: 'POST' });
    }
    call.toolName = path.slice(basePath.length + toolsPath.length);
    call.tool = isToolName(call.toolName) ? call.toolName : undefined;
    return undefined;
  },

  /** Looks up the key. All invalid credentials get an identical response ("Authentication", item 5). */
  authenticate(call) {
    const secret = secretOf(call.request);
    call.key = secret === undefined ? undefined : call.state.keys.get(secret);
    return call.key?.state === 'live' ? undefined : unauthenticated(call);
  },

  /** Checks both API switches and the capability on every request ("Authentication", item 4). */
  surface({ key, state, behavior }) {
    const { account: accountId, capability } = settled(key, 'key');
    const account = settled(state.accounts.get(accountId), 'account');
    const platform = settled(state.platforms.get(account.platform), 'platform');
    if (!platform.apiSwitch) {
      return boundaryError(403, behavior.codes.platformSwitchOff, 'The API is switched off on this platform.');
    }
    if (!account.apiSwitch) {
      const message = "The API is switched off for this account. Its owner can switch it on in the account's settings.";
      return boundaryError(403, behavior.codes.accountSwitchOff, message);
    }
    if (!capability) {
      const message =
        'The holder of this key lacks the capability api.access. Ask an administrator of the account for it.';
      return boundaryError(403, behavior.codes.withoutAccess, message);
    }
    return undefined;
  },

  /** Applies the rate limit of the key, across all tools ("Limits", rate cap). */
  rateLimit(call) {
    const { state, behavior } = call;
    const { bucket, limit, windowSeconds } = behavior.rate;
    const wait = state.rateWindows.take(
      bucket(call),
      limit(settled(call.key, 'key')),
      windowSeconds,
      state.clock.now(),
    );
    return wait === 0 ? undefined : rateLimited(behavior.codes.rateLimited, wait);
  },

  /** All unknown tool names get an identical response that does not repeat the name ("Boundary errors", 404). */
  findTool: ({ tool, behavior }) =>
    tool === undefined ? boundaryError(404, behavior.codes.noSuchTool, 'There is no such tool.') : undefined,

  /**
   * Parses the body as a JSON object. A missing body counts as an empty object; a body of only white space is
   * malformed.
   */
  readBody(call) {
    const { body } = call.request;
    if (body === null || body.length === 0) return undefined;
    if (body.length > bodyLimitBytes) {
      const message = `A body may have ${bodyLimitBytes} bytes at most.`;
      return boundaryError(413, call.behavior.codes.bodyTooLarge, message);
    }
    const value = isUtf8(body)
      ? parsed(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'))
      : undefined;
    if (Array.isArray(value)) return value.length > call.behavior.batchLimit ? batchTooLarge(call) : malformed(call);
    if (!isRecord(value)) return malformed(call);
    call.body = value;
    return undefined;
  },

  /** Validates the arguments and reports every invalid field ("Tool refusals", invalid_arguments). */
  checkArguments(call) {
    const { behavior, body } = call;
    const tool = settled(call.tool, 'tool');
    const parsed = (behavior.argumentSchemas[tool] ?? tools[tool].arguments).safeParse(body);
    if (parsed.success) {
      call.args = parsed.data;
      return undefined;
    }
    const issues = parsed.error.issues.flatMap((issue): Issue[] => {
      // Zod reports an unknown property at its parent. The issue names the property itself, so that a client finds it.
      const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
      return paths.map((path) => ({ path: path.join('.'), message: issue.message }));
    });
    return invalidArguments(behavior, issues);
  },

  /** Selects the workspace of a request, unless the tool belongs to the account. */
  resolveWorkspace(call) {
    const { behavior, state } = call;
    if (!isWorkspaceScoped(settled(call.tool, 'tool'))) return undefined;
    const key = settled(call.key, 'key');
    const asked = typeof call.args.workspace === 'string' ? call.args.workspace : undefined;
    for (const [source, rung] of behavior.rungs) {
      const slug = rung(key, asked);
      if (typeof slug !== 'string') continue;
      if (!key.reach.includes(slug)) return unreachable(call, key);
      call.place = { workspace: state.workspace(slug), source };
      return undefined;
    }
    return key.reach.length === 0 ? unreachable(call, key) : ambiguous(call, key);
  },

  runTool({ tool, state, behavior, request, key, args, place }) {
    const name = settled(tool, 'tool');
    const holder = settled(key, 'key');
    const account = settled(state.accounts.get(holder.account), 'account');
    if (isWorkspaceScoped(name)) settled(place, 'workspace');
    // The arguments match the schema of this tool. TypeScript cannot infer that through a lookup table.
    const run = behavior.tools[name] as (
      call: Omit<ToolCall<ToolName>, 'args' | 'place'> & { args: unknown; place: unknown },
    ) => ApiResponse;
    return run({ state, behavior, request, key: holder, account, args, place });
  },
};

/** Returns the refusal of arguments that do not match the schema of the tool. */
export function invalidArguments({ argumentsRefusedBy, codes }: Behavior, issues: readonly Issue[]) {
  const fields = new Set(issues.map(({ path }) => path));
  const message = `These arguments do not fit: ${[...fields].join(', ')}.`;
  return refusal(argumentsRefusedBy, { code: codes.invalidArguments, message, issues });
}

const bearer = /^bearer +(\S+)$/i;

/** Returns the bearer token of a request, valid or not. */
export function secretOf({ headers }: StubRequest): string | undefined {
  const { authorization } = headers;
  return typeof authorization === 'string' ? bearer.exec(authorization)?.[1] : undefined;
}

/** Returns the 401 response. It does not depend on the request. */
function unauthenticated({ behavior }: Pick<Call, 'behavior'>): ApiResponse {
  const message = 'The request has no valid key. Send one as a bearer token in the header Authorization.';
  return boundaryError(401, behavior.codes.unauthenticated, message, { 'www-authenticate': 'Bearer' });
}

function malformed({ behavior }: Call): ApiResponse {
  const message = 'The body is not a JSON object. Send a JSON object, or no body.';
  return boundaryError(400, behavior.codes.malformedBody, message);
}

function batchTooLarge({ behavior }: Call): ApiResponse {
  return boundaryError(400, behavior.codes.batchTooLarge, 'The body is a list with too many messages.');
}

/**
 * The four ways to select a workspace, in the stub's order. The specification does not define the order
 * ("Authentication", item 6).
 */
export const rungs: readonly (readonly [Source, Rung])[] = [
  ['call-override', (_key, asked) => asked],
  ['key-pin', (key) => key.pin],
  ['stored-default', (key) => key.storedDefault],
  ['sole-reachable', (key) => (key.reach.length === 1 ? key.reach[0] : undefined)],
];

/** The response does not depend on whether the workspace exists, so it discloses nothing about other accounts. */
function unreachable({ behavior }: Call, key: KeyState) {
  return refusal('boundary', {
    code: behavior.codes.workspaceUnreachable,
    message: 'This key does not reach that workspace. Pass one of those listed as `workspace`.',
    workspaces: key.reach,
  });
}

function ambiguous({ behavior, state }: Call, key: KeyState) {
  return refusal('boundary', {
    code: behavior.codes.workspaceAmbiguous,
    message: 'This key reaches several workspaces. Ask a person which one is meant and pass it as `workspace`.',
    // Clients cannot rely on the first one being the default.
    workspaces: shuffled(key.reach, state.chance),
  });
}
