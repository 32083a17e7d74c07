import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { functionName, toolDefinitions } from '../../fixtures/contract/tool-definitions.ts';
import { toolNames, toolsPath } from '../../fixtures/contract/tools.ts';
import { isRecord } from '../../suites/json.ts';
import { kit } from '../../suites/kit.ts';
import { createFetch, type Fetch } from '../transports/fetch.ts';
import type { World } from '../worlds/world.ts';

const instructions =
  'These tools belong to a sandbox. A result is an error if ok is false or if it has a member error. A refusal with ' +
  'workspaces asks a person to choose one. Confirm images only after a person approved the request_summary.';

/** Maps function-calling names to tool names. */
const toolOf = new Map(toolNames.map((tool) => [functionName(tool), tool]));

/**
 * Offers the tools of a sandbox over the Model Context Protocol. The adapter is not part of the specification. It sends
 * each tool call to the API as a client does, so that faults, limits and the journal apply.
 */
function serverFor({ handle, basePath }: Pick<World, 'handle' | 'basePath'>, authorization: string | undefined) {
  const server = new Server(
    { name: `${kit.name} stub`, version: kit.version },
    { capabilities: { tools: {} }, instructions },
  );
  const send = createFetch(handle);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolDefinitions('mcp') }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    // The API rejects an unknown name, as it does over HTTP.
    const tool = toolOf.get(params.name) ?? params.name;
    return call(
      send,
      `${basePath}${toolsPath}${encodeURIComponent(tool)}`,
      params.arguments ?? {},
      authorization,
      signal,
    );
  });
  return server;
}

/** Sends one tool call. A lost or truncated response becomes an error, because the call may have taken effect. */
async function call(
  send: Fetch,
  path: string,
  args: object,
  authorization: string | undefined,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) };
  try {
    const response = await send(`http://stub.invalid${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(args),
      signal,
    });
    const text = await response.text();
    const body = objectIn(text);
    const isError = response.status !== 200 || body?.ok !== true;
    return textResult(body === null ? `HTTP ${response.status}\n${text}` : text, isError);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return textResult('The connection ended before the whole response arrived. The call may have taken effect.', true);
  }
}

function textResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], isError };
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Serves the agent that started this process, with one key, until the agent closes standard input. */
export async function serveStdio(world: World, key: string, stop: AbortSignal): Promise<void> {
  const server = serverFor(world, `Bearer ${key}`);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  if (!stop.aborted) await ended;
  await server.close();
}

/**
 * Serves Streamable HTTP without sessions. The bearer token of the MCP request is the key for tool calls. Without a
 * token, the API returns 401.
 */
export async function respondOverHttp(
  world: Pick<World, 'handle' | 'basePath'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const server = serverFor(world, request.headers.authorization);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  // The cast is needed because the SDK is compiled without `exactOptionalPropertyTypes`.
  await server.connect(transport as Transport);
  await transport.handleRequest(request, response);
}
