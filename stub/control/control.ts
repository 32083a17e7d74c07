import { isForeign } from '../../suites/local-server.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import type { Handle, StubRequest, StubResponse } from '../server/handle.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { createKnows } from './guard.ts';
import { controlHeader, controlPath, pagePath } from './paths.ts';
import { problem, reply } from './reply.ts';
import { type Deviate, parse, type Route } from './route.ts';
import { createRoutes } from './routes.ts';
import { nothingShape } from './shapes.ts';

export type { Chosen, Deviate } from './route.ts';

export interface ControlOptions {
  readonly token: string;
  readonly worlds: Worlds;
  /** Creates a deviation from the names of defects and variants. */
  readonly deviate?: Deviate | undefined;
  /** The page, served without the token because it contains nothing secret. It requests its data with the token. */
  readonly page?: StubResponse | undefined;
}

/**
 * Creates the control plane, which moves clocks, queues faults, changes keys, creates sandboxes and shows journals. It
 * is not part of the specification. Its errors contain `problem`, so they cannot be mistaken for responses of a tool.
 */
export function createControl({ token, worlds, deviate, page }: ControlOptions): Handle {
  const knows = createKnows(token);
  const routes = createRoutes(worlds, deviate).map((route) => ({ ...route, pattern: patternOf(route) }));
  return (request) => {
    if (isForeign(request.headers))
      return problem(403, 'The control plane refuses pages of other sites and other names of this host.');
    if (page !== undefined && request.path === pagePath && request.method === 'GET') return page;
    if (!knows(request.headers[controlHeader])) {
      return problem(401, `The header ${controlHeader} does not carry the control token.`);
    }
    const end = request.path.indexOf('?');
    const path = request.path.slice(controlPath.length, end === -1 ? undefined : end);
    const found = routes.flatMap((route) => {
      const match = route.pattern.exec(path);
      return match === null ? [] : [{ route, groups: match.groups ?? {} }];
    });
    if (found.length === 0) return problem(404, 'There is no such path in the control plane.');
    const chosen = found.find(({ route }) => route.method === request.method);
    if (chosen === undefined) {
      const allowed = found.map(({ route }) => route.method).join(', ');
      return reply(405, { problem: `This path takes ${allowed}.` }, { allow: allowed });
    }
    const query = new URLSearchParams(end === -1 ? '' : request.path.slice(end));
    const { route, groups } = chosen;
    const { takes, example } = route;
    return run(() => {
      // A route without a body schema rejects any body, because ignoring the body would hide a mistake of the client.
      if (takes === undefined) parse(nothingShape, bodyOf(request));
      return route.run({ id: groups.id, query, request }, () => bodyOf(request));
    }, example);
  };
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${path.replace('{sandbox}', String.raw`(?<id>[\w-]+)`)}$`);
}

/** Converts RangeErrors and UsageErrors into 400 responses. Other errors are defects of the stub. */
function run(route: () => StubResponse, example: object | undefined): StubResponse {
  try {
    return route();
  } catch (error) {
    if (error instanceof RangeError || error instanceof UsageError) {
      const what = error.message.endsWith('.') ? error.message : `${error.message}.`;
      return problem(400, example === undefined ? what : `${what} Send ${JSON.stringify(example)}.`);
    }
    throw error;
  }
}

function bodyOf({ body }: StubRequest): unknown {
  if (body === null || body.length === 0) return {};
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    throw new RangeError('The body is not JSON.');
  }
}
