import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { Answer, Received } from './answer.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';
import { toolPath } from './pipeline.ts';
import type { World } from './world.ts';

/** A response as written. Only its form may still change. */
export interface Written {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export const dress = (world: World, received: Received, answer: Answer): Written => {
  const { options } = world;
  const body =
    answer.status === 200 ? ordered(world, { ...extraFields(world, received, answer), ...answer.body }) : answer.body;
  const plain =
    answer.text ?? JSON.stringify(body, null, options.prettyJson ? 3 : 0) + (options.prettyJson ? '\n' : '');
  const headers = {
    'content-type': options.charset ? 'application/json;charset=UTF-8' : 'application/json',
    ...extraHeaders(world),
    ...answer.headers,
  };
  return { status: answer.status, headers, text: options.escapedUnicode ? escaped(plain) : plain };
};

/** Only 200 responses may have extra members, because error responses allow no others. */
const extraFields = (world: World, received: Received, answer: Answer): JsonObject => {
  if (!world.options.extraFields) return {};
  const now = world.now();
  const given = parseJson(received.body.toString('utf8'));
  const args = isJsonObject(given) ? given : {};
  // All `confirmation_invalid` responses must be identical, so they do not repeat the ID.
  const echo: Json = answer.cause === refusalCodes.confirmationInvalid ? Object.keys(args).length : args;
  return {
    request_id: world.random.text(16),
    served_ms: now,
    served_at: new Date(now).toISOString().slice(0, 19),
    tool: received.path.slice(toolPath.length),
    echo,
    hints: [],
    next: null,
  };
};

const extraHeaders = (world: World): Record<string, string> => {
  const { options, random } = world;
  const headers: Record<string, string> = {};
  if (options.servedBy) headers['x-served-by'] = `node-${random.integer(2)}`;
  if (!options.extraHeaders) return headers;
  return {
    ...headers,
    'x-request-id': random.text(20),
    'ratelimit-remaining': String(random.integer(1000)),
    'x-ratelimit-reset': String(random.integer(60)),
    'set-cookie': `edge=${random.text(12)}; Path=/; HttpOnly`,
    'server-timing': `app;dur=${(random.fraction() * 10).toFixed(3)}`,
    'cache-control': 'no-store',
  };
};

const ordered = (world: World, body: JsonObject): JsonObject =>
  world.options.shuffledMembers ? Object.fromEntries(world.random.shuffled(Object.entries(body))) : body;

const escaped = (text: string) =>
  text.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
