// A client that asks its person on the terminal which workspace to use and whether to generate an image.
import { createInterface } from 'node:readline';

const { TCK_BASE_URL: base, TCK_KEY_PRIMARY: key, TCK_BOARD: board, TCK_SHAPE: shape } = process.env;
let workspace = process.env.TCK_WORKSPACE;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function ask(question) {
  console.log(question);
  return (await lines.next()).value;
}

async function call(tool, args) {
  const response = await fetch(`${base}/api/v1/tools/${tool}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(workspace === undefined ? args : { ...args, workspace }),
  });
  const body = await response.json();
  if (body.ok) return body;
  if (body.code !== 'workspace_ambiguous') throw new Error(body.message);
  workspace = await ask(`Which workspace: ${body.workspaces.join(', ')}?`);
  return call(tool, args);
}

try {
  const { meta_line } = await call('schedule.read', {});
  console.log(meta_line);
  const request = { board, brief: 'a cup on a table', count: 1, shape };
  const { confirmation_id, request_summary } = await call('images.generate', request);
  if ((await ask(`${request_summary} (y/n)`)) !== 'y') throw new Error('The person said no.');
  console.log((await call('images.generate', { ...request, confirmation_id })).run_id);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
process.stdin.destroy();
