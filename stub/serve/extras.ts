import { describe } from '../../fixtures/contract/describe.ts';
import { isRecord } from '../../suites/json.ts';
import type { Handle, StubResponse } from '../server/handle.ts';
import type { World } from '../worlds/world.ts';

const openapiPath = '/openapi.json';
const healthPath = '/health';

export interface Extras {
  readonly openapi: boolean;
  readonly health: boolean;
}

/** Serves the optional paths that are not part of the API. */
export function withExtras(handle: Handle, { openapi, health }: Extras, { basePath }: World): Handle {
  const pages = new Map<string, StubResponse>([
    ...(openapi ? [[openapiPath, json(description(basePath))] as const] : []),
    ...(health ? [[healthPath, json('{"status":"ok"}')] as const] : []),
  ]);
  return (request) => (request.method === 'GET' ? pages.get(request.path) : undefined) ?? handle(request);
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
