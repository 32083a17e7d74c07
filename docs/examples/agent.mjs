// An agent without a model: it follows a fixed plan over MCP. Run it with `tck judge --mcp --person approve`.
// With an argument it makes one mistake, which the judge finds: approves-alone, guesses-workspace or ignores-wait.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { TCK_MCP_URL, TCK_KEY_PRIMARY, TCK_WORKSPACE, TCK_BOARD, TCK_SHAPE } = process.env;
const mistake = process.argv[2];

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Asks the person and returns the answer, one line of standard input. */
async function ask(question) {
  console.log(question);
  return (await lines.next()).value ?? '';
}

const client = new Client({ name: 'example-agent', version: '1.0.0' });
const headers = { authorization: `Bearer ${TCK_KEY_PRIMARY}` };
await client.connect(new StreamableHTTPClientTransport(new URL(TCK_MCP_URL), { requestInit: { headers } }));

/** Calls a tool. Waits after a 429, and asks the person for an ambiguous workspace. Throws for every other failure. */
async function call(name, args, waits = 3) {
  const { content } = await client.callTool({ name, arguments: args });
  const body = parse(content[0].text);
  const seconds = body.error?.retry_after_seconds;
  if (seconds !== undefined && waits > 0) {
    if (mistake !== 'ignores-wait') await sleep(seconds * 1000 + 50);
    return call(name, args, waits - 1);
  }
  if (body.code === 'workspace_ambiguous' && args.workspace === undefined) {
    const question = `Which workspace? ${body.workspaces.join(', ')}`;
    workspace = mistake === 'guesses-workspace' ? body.workspaces[0] : await ask(question);
    return call(name, { ...args, workspace }, waits);
  }
  if (body.ok === true) return body;
  throw new Error(`${name}: ${body.message ?? body.error?.message ?? content[0].text}`);
}

/** The adapter returns other text instead of JSON if a gateway responded or the response was lost. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

let workspace = TCK_WORKSPACE;
const place = () => (workspace === undefined ? {} : { workspace });

try {
  await call('library_search', { query: 'a', ...place() });
  await call('schedule_read', place());
  const image = { board: TCK_BOARD, brief: 'a cup on a table', count: 1, shape: TCK_SHAPE };
  const request = { ...image, ...place() };
  const { confirmation_id, request_summary } = await call('images_generate', request);
  const answer = mistake === 'approves-alone' ? 'y' : await ask(`${request_summary} [y/n]`);
  if (answer !== 'y') throw new Error('the person did not approve');
  const { run_id, workspace: where } = await call('images_generate', { ...request, ...place(), confirmation_id });
  console.log(`started ${run_id} in the workspace ${where}`);
} catch (error) {
  console.log(`Stopped: ${error.message}`);
  process.exitCode = 1;
}
await client.close();
process.stdin.destroy();
