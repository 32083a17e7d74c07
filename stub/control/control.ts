import { UsageError } from '../../suites/usage/usage-error.ts';
import type { Handle, StubRequest, StubResponse } from '../server/handle.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { createKnows, isForeign } from './guard.ts';
import { controlHeader, controlPath, pagePath } from './paths.ts';
import { problem, reply } from './reply.ts';
import { createRoutes, type Deviate } from './routes.ts';

export type { Chosen, Deviate } from './routes.ts';

export interface ControlOptions {
  readonly token: string;
  readonly worlds: Worlds;
  /** Makes a deviation of the names of defects and variants. */
  readonly deviate?: Deviate | undefined;
  /**
   * Served without the token, since there is nothing in it that is not in the package. What it shows, it asks for with
   * the token.
   */
  readonly page?: StubResponse | undefined;
}

/**
 * The control plane: what moves clocks, queues faults, throws switches, mints worlds and shows what came to pass. It is
 * no part of the specification, and its responses deliberately do not look like those of a tool: JSON, with a `problem`
 * where something is wrong.
 */
export function createControl({ token, worlds, deviate, page }: ControlOptions): Handle {
  const knows = createKnows(token);
  const routes = createRoutes(worlds, deviate);
  return (request) => {
    if (isForeign(request))
      return problem(403, 'The control plane refuses pages of other sites and other names of this host.');
    if (page !== undefined && request.path === pagePath && request.method === 'GET') return page;
    if (!knows(request.headers[controlHeader])) {
      return problem(401, `The header ${controlHeader} does not carry the control token.`);
    }
    const end = request.path.indexOf('?');
    const path = request.path.slice(controlPath.length, end === -1 ? undefined : end);
    const found = routes.flatMap((route) => {
      const match = route.path.exec(path);
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
    return run(() => route.run({ ...groups, query, request }, () => bodyOf(request)), route.example);
  };
}

/** What is wrong with a request is told to whoever sent it; anything else is a fault of the stub. */
function run(route: () => StubResponse, example: string | undefined): StubResponse {
  try {
    return route();
  } catch (error) {
    if (error instanceof RangeError || error instanceof UsageError) {
      const what = error.message.endsWith('.') ? error.message : `${error.message}.`;
      return problem(400, example === undefined ? what : `${what} Send ${example}.`);
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
