import { describe } from '../../fixtures/contract/describe.ts';
import { isRecord } from '../../suites/json.ts';
import { isForeign } from '../control/guard.ts';
import type { Handle, StubResponse } from '../server/handle.ts';
import type { World } from '../worlds/world.ts';
import { type Files, viewerPage, viewerPath, viewerStart } from './viewer.ts';

const openapiPath = '/openapi.json';
const healthPath = '/health';

export interface Extras {
  readonly openapi: boolean;
  readonly health: boolean;
  /** Files of the viewer. The viewer needs the description, so it is served too. */
  readonly viewer: Files | undefined;
}

/** Serves the optional paths that are not part of the API. */
export function withExtras(handle: Handle, { openapi, health, viewer }: Extras, { basePath, keys }: World): Handle {
  const pages = new Map<string, StubResponse>([
    ...(openapi || viewer !== undefined ? [[openapiPath, json(description(basePath))] as const] : []),
    ...(health ? [[healthPath, json('{"status":"ok"}')] as const] : []),
    ...(viewer === undefined ? [] : [...viewer, viewerStart(openapiPath)]),
  ]);
  const own = viewerPage(keys.primary);
  const foreign = viewerPage('');
  return (request) => {
    if (viewer !== undefined && request.method === 'GET' && request.path === viewerPath) {
      return isForeign(request) ? foreign : own;
    }
    const page = request.method === 'GET' ? pages.get(request.path) : undefined;
    return page ?? handle(request);
  };
}

/** Returns the API description with this stub as its server. The server URL is relative to the description. */
function description(basePath: string): string {
  const described: unknown = JSON.parse(describe());
  return JSON.stringify({
    ...(isRecord(described) ? described : {}),
    servers: [{ url: basePath === '' ? '/' : basePath }],
  });
}

function json(body: string): StubResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
