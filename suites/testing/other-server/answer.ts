import type { IncomingHttpHeaders } from 'node:http';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import type { Json, JsonObject } from './json.ts';
import type { Key, Workspace, World } from './world.ts';

/** A request as it arrived. `path` is without the prefix and the query. */
export interface Received {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Reached through the base address of the closed platform. */
  platformOff: boolean;
}

/** An answer before it is written. `cause` says why it came about and never leaves the server. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: JsonObject;
  cause: string;
  /** Written instead of `body` where set. */
  text?: string;
}

export type Source = 'call-override' | 'key-pin' | 'stored-default' | 'sole-reachable';

/** A call of a tool whose workspace is resolved. */
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

/** Which members of `working_in` the specification requires beyond `label` and `note`. */
type Detail = 'workspace-and-source' | 'source' | 'least';

export const workingIn = ({ world, workspace, source }: Run, detail: Detail): JsonObject => {
  const told: JsonObject = { label: `⚓ ${workspace.slug}`, note: notes[source] };
  const full = !world.options.minimalWorkingIn;
  if (full || detail !== 'least') told.source = source;
  if (full || detail === 'workspace-and-source') told.workspace = workspace.slug;
  return told;
};

/** `ok` true, with the workspace it ran in. `working_in` among the fields wins; null there leaves it out. */
export const success = (run: Run, fields: JsonObject, detail: Detail = 'least'): Answer => {
  const body: JsonObject = { ok: true, workspace: run.workspace.slug, working_in: workingIn(run, detail), ...fields };
  if (body.working_in === null) delete body.working_in;
  return { status: 200, headers: successHeaders(run.world), body, cause: 'success' };
};

export const successHeaders = (world: World): Record<string, string> =>
  world.options.toolErrorOnSuccess === 'false' ? { [responseHeaders.toolError]: 'false' } : {};

/** `ok` false. `boundaryStep`: the workspace could not be resolved, as opposed to the tool declining. */
export const refusal = (code: string, message: string, boundaryStep: boolean, more: JsonObject = {}): Answer => ({
  status: 200,
  headers: { [responseHeaders.toolError]: String(boundaryStep) },
  body: { ok: false, code, message, ...more },
  cause: code,
});

/** A refusal by the tool itself, after the workspace was resolved. */
export const declined = (run: Run, code: string, message: string): Answer => {
  const where = run.world.options.workingInOnRefusals
    ? { workspace: run.workspace.slug, working_in: workingIn(run, 'least') }
    : {};
  return refusal(code, message, false, where);
};

/** The envelope of boundary errors, with not a key more than it may have. */
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
