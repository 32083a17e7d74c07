import { type CallToolResult, createMcpHandler, type McpServerFactory, Server } from '@modelcontextprotocol/server';
import { serveStdio as serveOverStdio } from '@modelcontextprotocol/server/stdio';
import { functionName, toolDefinitions } from '../../fixtures/contract/tool-definitions.ts';
import { toolNames, toolsPath } from '../../fixtures/contract/tools.ts';
import { isRecord, parsed } from '../../suites/json.ts';
import { kit } from '../../suites/kit.ts';
import type { Fetch, Stub } from '../index.ts';
import type { StubRequest, StubResponse } from '../server/handle.ts';

const instructions =
  'These tools belong to a sandbox. A result is an error if ok is false or if it has a member error. A refusal with ' +
  'workspaces asks a person to choose one. Confirm images only after a person approved the request_summary.';

/** Maps function-calling names to tool names. */
const toolOf = new Map(toolNames.map((tool) => [functionName(tool), tool]));

type Served = Pick<Stub, 'fetch' | 'basePath'>;

/**
 * Offers the tools of a sandbox over the Model Context Protocol. Each tool call is a request to the API as a client
 * sends it, so that faults, limits and the journal apply.
 */
function serverFor({ fetch, basePath }: Served, authorization: string | undefined): McpServerFactory {
  return () => {
    const info = { name: `${kit.name} stub`, version: kit.version };
    const server = new Server(info, { capabilities: { tools: {} }, instructions });
    server.setRequestHandler('tools/list', () => ({ tools: toolDefinitions('mcp') }));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq: { signal } }) => {
      // The API rejects an unknown name, as it does over HTTP.
      const tool = toolOf.get(params.name) ?? params.name;
      const path = `${basePath}${toolsPath}${encodeURIComponent(tool)}`;
      return call(fetch, path, params.arguments ?? {}, authorization, signal);
    });
    return server;
  };
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
    const body = parsed(text);
    if (!isRecord(body)) return textResult(`HTTP ${response.status}\n${text}`, true);
    return { ...textResult(text, response.status !== 200 || body.ok !== true), structuredContent: body };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return textResult('The connection ended before the whole response arrived. The call may have taken effect.', true);
  }
}

function textResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], isError };
}

/** Serves the agent that started this process, with one key, until the agent closes standard input. */
export async function serveStdio(world: Served, key: string, stop: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const served = serveOverStdio(serverFor(world, `Bearer ${key}`));
  if (!stop.aborted) await ended;
  await served.close();
}

/**
 * Serves Streamable HTTP without sessions. The bearer token of the MCP request is the key for tool calls. The endpoint
 * refuses an invalid key and a large batch with the error responses of the API ("Error envelopes").
 */
export async function respondOverHttp(world: Stub, request: StubRequest, left: AbortSignal): Promise<StubResponse> {
  const refused = request.method === 'POST' ? world.refusalAtDoor(request) : undefined;
  if (refused !== undefined) return refused;
  const { authorization } = request.headers;
  const handler = createMcpHandler(serverFor(world, authorization?.toString()));
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  );
  const response = await handler.fetch(
    new Request(`http://stub.invalid${request.path}`, {
      method: request.method,
      headers,
      signal: left,
      ...(request.body === null ? {} : { body: Buffer.from(request.body) }),
    }),
  );
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
