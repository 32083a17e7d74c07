import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { dress, type Written } from './dress.ts';
import { isJsonObject, parseJson } from './json.ts';
import { type Handler, toolPath } from './pipeline.ts';
import type { World } from './world.ts';

export const clockPath = '/-/clock';
/** Suffix of the prefix in the base address of the closed platform. */
export const closedSuffix = '-closed';

const bodyOf = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
};

const nameIn = (style: World['options']['headerCase'], name: string) => {
  if (style === 'lower') return name;
  return style === 'upper' ? name.toUpperCase() : name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
};

const write = (world: World, response: ServerResponse, { status, headers, text }: Written) => {
  const { options } = world;
  for (const [name, value] of Object.entries(headers)) response.setHeader(nameIn(options.headerCase, name), value);
  if (options.connectionClose) response.setHeader(nameIn(options.headerCase, 'connection'), 'close');
  if (options.closeAfterEachAnswer) response.once('finish', () => response.socket?.end());
  const bytes = Buffer.from(text, 'utf8');
  response.statusCode = status;
  if (!options.chunked) {
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
    return;
  }
  const middle = bytes.findIndex((byte) => byte >= 0x80) + 1 || bytes.length >> 1;
  response.write(bytes.subarray(0, middle));
  response.end(bytes.subarray(middle));
};

/** Responds to other methods and paths, which the specification does not cover. */
const elsewhere = (request: IncomingMessage): Written =>
  request.url?.includes(toolPath) && request.method !== 'POST'
    ? { status: 405, headers: { allow: 'POST', 'content-type': 'text/plain' }, text: 'POST only' }
    : { status: 404, headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Lost</title>' };

/** Advances the clock: a `POST` with `{"seconds": n}` returns 204. */
const moveClock = async (world: World, request: IncomingMessage): Promise<Written> => {
  const body = parseJson((await bodyOf(request)).toString('utf8'));
  const seconds = isJsonObject(body) ? body.seconds : undefined;
  if (typeof seconds !== 'number' || !(seconds >= 0)) return { status: 400, headers: {}, text: 'seconds?' };
  world.advance(seconds);
  return { status: 204, headers: {}, text: '' };
};

export const createClockServer = (world: World): Server =>
  createServer(async (request, response) => {
    const written = request.url === clockPath ? await moveClock(world, request) : elsewhere(request);
    response.writeHead(written.status, written.headers).end(written.text);
  });

/** Creates a server for the API, which does not listen yet. */
export const createApiServer = (world: World, handler: Handler): Server => {
  const { options } = world;
  const sees = async (request: IncomingMessage): Promise<Written> => {
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
    if (options.controllableClock && options.clockHost === 'same' && path === clockPath)
      return moveClock(world, request);
    const platformOff =
      options.platformOffAt === 'own-base' && path.startsWith(options.pathPrefix + closedSuffix + toolPath);
    const prefix = platformOff ? options.pathPrefix + closedSuffix : options.pathPrefix;
    const body = await bodyOf(request);
    const inner = path.slice(prefix.length);
    const isCall =
      request.method === 'POST' && path.startsWith(prefix + toolPath) && !inner.slice(toolPath.length).includes('/');
    if (!isCall) return elsewhere(request);
    const received = { method: 'POST', path: inner, query, headers: request.headers, body, platformOff };
    const { min, max } = options.latencyMs;
    if (max > 0) await pause(min + world.random.fraction() * (max - min));
    return dress(world, received, await handler(received));
  };
  const server = createServer(async (request, response) => {
    try {
      write(world, response, await sees(request));
    } catch {
      // Either the client disconnected while sending the body, or this server has a fault.
      if (request.complete) response.writeHead(500).end();
      else response.destroy();
    }
  });
  server.keepAliveTimeout = options.keepAliveTimeoutMs;
  return server;
};
