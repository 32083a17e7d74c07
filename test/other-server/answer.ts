import type { IncomingHttpHeaders } from 'node:http';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { Json, JsonObject } from './json.ts';
import type { Key, Workspace, World } from './world.ts';

/** A request as received. `path` excludes the prefix and the query. */
export interface Received {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** True if the request used the base address of the closed platform. */
  platformOff: boolean;
}

/** A response before it is written. `cause` is the internal reason, which never leaves the server. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: JsonObject;
  cause: string;
  /** Text to write instead of `body`. */
  text?: string;
}

export type Source = 'call-override' | 'key-pin' | 'stored-default' | 'sole-reachable';

/** A request for a tool with its resolved workspace. */
export interface Run {
  world: World;
  key: Key;
  args: JsonObject;
  workspace: Workspace;
  source: Source;
}

const notes: Record<Source, string> = {
  'call-override': 'Named in this call, and for this call only.',
  'key-pin': 'This key works nowhere else.',
  'stored-default': 'It is the default.',
  'sole-reachable': 'There is no other.',
};

/** Members of `working_in` that the specification requires in addition to `label` and `note`. */
type Detail = 'workspace-and-source' | 'source' | 'least';

export const workingIn = ({ world, workspace, source }: Run, detail: Detail): JsonObject => {
  const told: JsonObject = { label: `⚓ ${workspace.slug}`, note: notes[source] };
  const full = !world.options.minimalWorkingIn;
  if (full || detail !== 'least') told.source = source;
  if (full || detail === 'workspace-and-source') told.workspace = workspace.slug;
  return told;
};

/** Returns a result with `ok` true and its workspace. `working_in` in the fields takes precedence; null omits it. */
export const success = (run: Run, fields: JsonObject, detail: Detail = 'least'): Answer => {
  const body: JsonObject = { ok: true, workspace: run.workspace.slug, working_in: workingIn(run, detail), ...fields };
  if (body.working_in === null) delete body.working_in;
  return { status: 200, headers: successHeaders(run.world), body, cause: 'success' };
};

export const successHeaders = (world: World): Record<string, string> =>
  world.options.toolErrorOnSuccess === 'false' ? { [responseHeaders.toolError]: 'false' } : {};

/** Returns a refusal. `boundaryStep` is true if the workspace was not resolved, and false if the tool declined. */
export const refusal = (code: string, message: string, boundaryStep: boolean, more: JsonObject = {}): Answer => ({
  status: 200,
  headers: { [responseHeaders.toolError]: String(boundaryStep) },
  body: { ok: false, code, message, ...more },
  cause: code,
});

/** Returns a refusal by the tool itself, after the workspace was resolved. */
export const declined = (run: Run, code: string, message: string): Answer => {
  const where = run.world.options.workingInOnRefusals
    ? { workspace: run.workspace.slug, working_in: workingIn(run, 'least') }
    : {};
  return refusal(code, message, false, where);
};

/** Returns an error response with only the members that the specification allows. */
export const boundaryError = (
  world: World,
  status: number,
  cause: string,
  code: string,
  message: string,
  retryAfterSeconds?: number,
): Answer => {
  const error: JsonObject = { message, code };
  const headers: Record<string, string> = {};
  if (world.options.toolErrorOnBoundary === 'true') headers[responseHeaders.toolError] = 'true';
  if (retryAfterSeconds !== undefined) {
    error.retry_after_seconds = retryAfterSeconds;
    headers[responseHeaders.retryAfter] = String(retryAfterSeconds);
  }
  return { status, headers, body: { error }, cause };
};

export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
