import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import { carriedHeaders } from '../../fixtures/contract/headers.ts';
import { isToolName, isWorkspaceScoped, type ToolName } from '../../fixtures/contract/tools.ts';
import { type Answer, boundaryError, type Received, type Run, text } from './answer.ts';
import { checkArguments, fieldsOf, withoutNulls, workspaceField } from './arguments.ts';
import { readArguments } from './bodies.ts';
import { closedSurface, readCredential, unauthorized, unknownTool } from './boundary.ts';
import { createCaps } from './caps.ts';
import { contentStatus, createRequest, readSchedule } from './content.ts';
import { generateImages } from './images.ts';
import type { JsonObject } from './json.ts';
import {
  connectionsStatus,
  creditsBalance,
  exampleOfAccount,
  exampleOfWorkspace,
  getItem,
  searchKnowledge,
  searchLibrary,
} from './reading.ts';
import { resolveWorkspace } from './rungs.ts';
import type { Key, World } from './world.ts';

/** Responds to a `POST` whose path starts with `/api/v1/tools/`. */
export type Handler = (received: Received) => Promise<Answer>;

export const toolPath = '/api/v1/tools/';

const scopedTools = new Map<string, (run: Run) => Answer>([
  ['content.create_request', createRequest],
  ['schedule.read', readSchedule],
  ['content.status', contentStatus],
  ['library.search', searchLibrary],
  ['library.get', getItem],
  ['knowledge.search', searchKnowledge],
  ['connections.status', connectionsStatus],
  ['images.generate', generateImages],
]);

/** Creates the steps of a request in the order in which this server runs them. */
export const createPipeline = (world: World): Handler => {
  const caps = createCaps(world);
  const fields = fieldsOf(world.options);

  const runTool = (tool: ToolName, key: Key, given: JsonObject): Answer => {
    const { options } = world;
    const known = fields.get(tool) ?? [];
    const args = withoutNulls(world, known, given);
    if (!isWorkspaceScoped(tool)) {
      const lax = options.unknownPropertiesOnBalance === 'ignore';
      return (
        checkArguments(world, known, args, lax) ??
        (tool === 'credits.balance' ? creditsBalance(world, key) : exampleOfAccount(world, tool))
      );
    }
    const lax = tool !== 'content.create_request' && !options.strictUnknown;
    const invalid = () => checkArguments(world, known, args, lax);
    const early = options.argumentsBeforeWorkspace ? invalid() : checkArguments(world, [workspaceField], args, true);
    if (early) return early;
    const argument = Object.hasOwn(args, 'workspace') ? text(args.workspace) : undefined;
    const resolved = resolveWorkspace(world, key, argument);
    if ('refused' in resolved) return resolved.refused;
    const late = options.argumentsBeforeWorkspace ? undefined : invalid();
    const run = scopedTools.get(tool) ?? exampleOfWorkspace(tool);
    return late ?? run({ world, key, args, ...resolved });
  };

  const answer = (received: Received): Answer => {
    const credential = readCredential(world, received);
    world.counters.requestsByRole[credential.key?.role ?? 'none'] += 1;
    const tool = received.path.slice(toolPath.length);
    if (world.options.unauthorizedAfterUnknownTool && !isToolName(tool)) return unknownTool(world);
    if ('cause' in credential) return unauthorized(world, credential.cause);
    const { key } = credential;
    const closed = closedSurface(world, key, received);
    if (closed) return closed;
    const wait = caps.admit(key);
    if (wait > 0) {
      return boundaryError(world, 429, 'rate-limited', boundaryCodes.rateLimited, 'Slow down for a while.', wait);
    }
    if (!isToolName(tool)) return unknownTool(world);
    const body = readArguments(world, received.body);
    return 'refused' in body ? body.refused : runTool(tool, key, body.args);
  };

  // Every response has the beta header, whatever its status ("Response headers").
  return async (received) => {
    const { headers, ...rest } = answer(received);
    return { ...rest, headers: { ...carriedHeaders(rest.status), ...headers } };
  };
};
