import { isRecord } from '../../suites/json.ts';
import { isForeign } from '../../suites/usage/local-server.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import type { Handle, StubRequest, StubResponse } from '../server/handle.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { controlHeader, controlPath, pagePath, problem, reply } from './reply.ts';
import { createRoutes } from './routes.ts';

// An `import` would evaluate all exports of the module, which is slow.
const { hash, timingSafeEqual } = process.getBuiltinModule('node:crypto');

interface ControlOptions {
  readonly token: string;
  readonly worlds: Worlds;
  /** The page, served without the token because it contains nothing secret. It requests its data with the token. */
  readonly page?: StubResponse | undefined;
}

/**
 * Creates the control plane, which moves clocks, queues faults, changes keys, creates sandboxes and shows journals. It
 * is not part of the specification. Its errors contain `problem`, so they cannot be mistaken for responses of a tool.
 */
export function createControl({ token, worlds, page }: ControlOptions): Handle {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(token);
  const routes = createRoutes(worlds);
  return (request) => {
    if (isForeign(request.headers))
      return problem(403, 'The control plane refuses pages of other sites and other names of this host.');
    if (page !== undefined && request.path === pagePath && request.method === 'GET') return page;
    // The comparison takes constant time. It requires equal lengths, which digests have.
    if (!timingSafeEqual(digest(String(request.headers[controlHeader])), expected)) {
      return problem(401, `The header ${controlHeader} does not carry the control token.`);
    }
    const { pathname, searchParams: query } = new URL(request.path, 'http://stub.invalid');
    const [, id] = /^worlds\/([\w-]+)/.exec(pathname.slice(controlPath.length)) ?? [];
    const path = pathname.slice(controlPath.length).replace(/^worlds\/[\w-]+/, 'worlds/{sandbox}');
    const route = routes[`${request.method} ${path}`];
    if (route === undefined) {
      const methods = ['GET', 'POST', 'DELETE'].filter((method) => routes[`${method} ${path}`] !== undefined);
      if (methods.length === 0) return problem(404, 'There is no such path in the control plane.');
      const allow = methods.join(', ');
      return reply(405, { problem: `This path takes ${allow}.` }, { allow });
    }
    const world = worlds.find(id ?? 'main');
    if (world === undefined) {
      return problem(404, 'There is no such sandbox. The stub drops idle sandboxes if there are too many.');
    }
    try {
      const body = bodyOf(request);
      // Ignoring the body would hide a mistake of the client.
      if (route.example === undefined && Object.keys(body).length > 0) throw new RangeError('This path takes no body.');
      return route.run({ world, body, query, request });
    } catch (error) {
      // Other errors are defects of the stub.
      if (!(error instanceof RangeError || error instanceof UsageError)) throw error;
      const what = error.message.endsWith('.') ? error.message : `${error.message}.`;
      return problem(400, route.example === undefined ? what : `${what} Send ${JSON.stringify(route.example)}.`);
    }
  };
}

function bodyOf({ body }: StubRequest): object {
  if (body === null || body.length === 0) return {};
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new RangeError('The body is not JSON.');
  }
  if (isRecord(json)) return json;
  throw new RangeError('The body is not a JSON object.');
}
