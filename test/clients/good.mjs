// A conforming client. It plans a post, and generates an image after its person approves.
const { TCK_BASE_URL: base, TCK_KEY_PRIMARY: key, TCK_BOARD: board, TCK_SHAPE: shape } = process.env;
const { TCK_CONTROL_URL: control, TCK_CONTROL_TOKEN: token } = process.env;
let workspace = process.env.TCK_WORKSPACE;

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Sends a decision of the simulated person. A real client would prompt its user. */
async function person(act, subject) {
  await fetch(`${control}worlds/main/person`, {
    method: 'POST',
    headers: { 'x-control-token': token },
    body: JSON.stringify({ act, subject }),
  });
}

class Refused extends Error {
  constructor(body) {
    const issues = (body.issues ?? []).map(({ path, message }) => `; ${path}: ${message}`);
    super(`${body.code}: ${body.message}${issues.join('')}`);
    this.code = body.code;
    this.workspaces = body.workspaces;
  }
}

async function call(tool, args, { scoped = true } = {}) {
  const answer = await fetch(`${base}/api/v1/tools/${tool}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(scoped && workspace ? { ...args, workspace } : args),
  });
  if (answer.status === 429) {
    await sleep(Number(answer.headers.get('retry-after')) + 0.02);
    return call(tool, args, { scoped });
  }
  const body = await answer.json();
  if (body.error) throw new Error(`${answer.status} ${body.error.code}: ${body.error.message}`);
  if (body.ok) return body;
  if (body.code === 'workspace_ambiguous') {
    console.log(`Choose one of these workspaces: ${body.workspaces.join(', ')}`);
    const chosen = body.workspaces.includes('south') ? 'south' : body.workspaces[0];
    await person('pick', chosen);
    workspace = chosen;
    return call(tool, args, { scoped });
  }
  throw new Refused(body);
}

async function image(request, attempts = 3) {
  const proposal = await call('images.generate', request);
  console.log(proposal.request_summary);
  await person('approve', proposal.confirmation_id);
  try {
    return await call('images.generate', { ...request, confirmation_id: proposal.confirmation_id });
  } catch (error) {
    if (error.code !== 'confirmation_invalid' || attempts === 1) throw error;
    return image(request, attempts - 1);
  }
}

try {
  const { balance } = await call('credits.balance', {}, { scoped: false });
  const { meta_line, working_in } = await call('schedule.read', {});
  console.log(balance, meta_line, working_in.label);
  const [latest] = (await call('library.search', { query: '' })).items;
  if (latest) await call('library.get', { kind: latest.kind, id: latest.id });
  // The specification does not define which days a schedule shows, so the client picks its own day.
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await call('content.create_request', { format: 'posts', day, title: 'A post' });
  const run = await image({ board, brief: 'a cup on a table', count: 1, shape });
  console.log('run', run.run_id, 'in', run.workspace);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
