import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Role } from '../../fixtures/roles.ts';
import type { Answer, Call, Settings, World } from './model.ts';
import { honestSteps, noSuchTool, type Steps } from './steps.ts';
import { createWorld, usualSettings } from './world.ts';

/** Differences from the default server: settings, replaced steps, and the form of responses. */
export interface Difference {
  settings?: Partial<Settings>;
  /** Prepares the data before the first request. */
  world?(world: World): void;
  steps?(steps: Steps): void;
  write?(response: ServerResponse, answer: Answer): void;
}

export interface ThirdServer {
  baseUrl: string;
  world: World;
  keys: Readonly<Record<Role, string>>;
  advance(seconds: number): void;
  close(): Promise<void>;
}

const prefix = '/api/v1/tools/';

function writeJson(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** Starts a new server on a free port. */
export async function startThirdServer(difference: Difference = {}): Promise<ThirdServer> {
  let ahead = 0;
  const world = createWorld({ ...usualSettings, ...difference.settings }, () => Date.now() + ahead);
  difference.world?.(world);
  const steps = honestSteps();
  difference.steps?.(steps);
  const write = difference.write ?? writeJson;

  const server = createServer(async (request, response) => {
    const raw = await bodyOf(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    // Later steps set the key, the tool and the workspace.
    const call = { world, headers: request.headers, query: searchParams, raw, now: world.now() } as unknown as Call;
    call.segment = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '';
    const known = request.method === 'POST' && call.segment !== '';
    write(response, await steps.finish(call, known ? await steps.handle(call) : noSuchTool()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an `AddressInfo`.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    world,
    // The world has one key for each role.
    keys: Object.fromEntries([...world.keys].map(([role, { secret }]) => [role, secret])) as Record<Role, string>,
    advance(seconds) {
      ahead += seconds * 1000;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
