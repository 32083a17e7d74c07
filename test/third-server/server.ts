import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '../network.ts';
import type { Answer, Call, Settings, World } from './model.ts';
import { honestSteps, noSuchTool, type Steps } from './steps.ts';
import { createWorld, usualSettings } from './world.ts';

/** Differences from the default server: settings, replaced steps, and the form of responses. */
export interface Difference {
  settings?: Partial<Settings>;
  /** Prepares the data before the first request. */
  world?(world: World): unknown;
  steps?(steps: Steps): void;
  write?(response: ServerResponse, answer: Answer): void;
}

export interface ThirdServer extends AsyncDisposable {
  baseUrl: string;
  world: World;
  advance(seconds: number): void;
}

const prefix = '/api/v1/tools/';

function writeJson(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
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
    const raw = await buffer(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    // Later steps set the key, the tool and the workspace.
    const call = { world, headers: request.headers, query: searchParams, raw, now: world.now() } as unknown as Call;
    call.segment = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '';
    const known = request.method === 'POST' && call.segment !== '';
    write(response, await steps.finish(call, known ? await steps.handle(call) : noSuchTool()));
  });
  const listener = await listening(server);
  return {
    baseUrl: `http://127.0.0.1:${listener.port}`,
    world,
    advance(seconds) {
      ahead += seconds * 1000;
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
