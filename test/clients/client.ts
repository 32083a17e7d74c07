// A conforming client with an unusual habit, or a client with the one mistake that its argument names.
const { env, argv } = process;
const [habit = ''] = argv.slice(2);
// Conforming habits can be combined.
const habits = habit.split(' + ');
const tools = `${env.TCK_BASE_URL}/api/v1/tools/`;
const place = { workspace: env.TCK_WORKSPACE };

type Body = Record<string, unknown>;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const head = (key = env.TCK_KEY_PRIMARY) => ({
  authorization: `bearer ${key}`,
  'content-type': 'application/json; charset=utf-8',
  accept: '*/*',
});

async function post(tool: string, args: Body, key = env.TCK_KEY_PRIMARY): Promise<Response> {
  return fetch(tools + tool, { method: 'POST', headers: head(key), body: JSON.stringify(args), redirect: 'manual' });
}

async function call(tool: string, args: Body): Promise<Body> {
  let response = await post(tool, args);
  if (response.status === 429) {
    const other = habit === 'uses another key after a 429' ? env.TCK_KEY_SOLE : undefined;
    const ownPlan = habit === 'waits one second after every 429' ? 1000 : undefined;
    const pause = ownPlan ?? Number(response.headers.get('retry-after')) * 1000 + 20;
    if (other === undefined) await sleep(pause);
    response = await post(tool, args, other);
  }
  if (response.status !== 200 && habit !== 'checks only whether ok is false')
    throw new Error(`${tool}: HTTP ${response.status} ${await response.text()}`);
  const body: Body = await response.json();
  if (habit === 'checks only whether ok is false' && body.ok !== false) return body;
  if (body.ok !== true && habit !== 'treats a refused proposal as a success')
    throw Object.assign(new Error(`${tool}: ${JSON.stringify(body)}`), { code: body.code });
  return body;
}

/** Approves a proposal as the simulated person of the sandbox. */
async function approve(subject: unknown): Promise<void> {
  const headers = { 'x-control-token': env.TCK_CONTROL_TOKEN ?? '' };
  const body = JSON.stringify({ act: 'approve', subject });
  await fetch(`${env.TCK_CONTROL_URL}worlds/main/person`, { method: 'POST', headers, body });
}

/** Makes a new proposal and confirms it without an approval. */
async function unapproved(): Promise<Body> {
  const request = { ...place, board: env.TCK_BOARD, brief: 'a cup', count: 1, shape: env.TCK_SHAPE };
  const { confirmation_id } = await call('images.generate', request);
  await sleep(1200);
  return call('images.generate', { ...request, confirmation_id });
}

/** Creates a piece and retries after a lost response. A conforming client first checks whether the piece exists. */
async function create(): Promise<void> {
  const piece = () => call('content.create_request', { format: 'posts', day: '2031-01-02', title: 'Once', ...place });
  await piece().catch(async (error) => {
    if (!(error instanceof TypeError)) throw error;
    if (habits.includes('checks the content status before it repeats a content request')) {
      const { pieces } = await call('content.status', place);
      if (JSON.stringify(pieces).includes('Once')) return;
    }
    await piece();
  });
}

async function images(attempt = 1): Promise<Body> {
  const request = { ...place, board: env.TCK_BOARD, brief: 'a cup', count: 1, shape: env.TCK_SHAPE };
  const { confirmation_id, request_summary, workspace } = await call('images.generate', request);
  console.log(request_summary);
  if (habit !== 'confirms without asking a person') await approve(confirmation_id);
  const confirmed =
    habit === 'changes the count in the confirmation' ? { ...request, count: 2 } : { ...request, workspace };
  const confirm = () => call('images.generate', { ...confirmed, confirmation_id });
  if (habit === 'confirms twice at the same time') return Promise.any([confirm(), confirm()]);
  if (habit === 'spends again after a lost response') return confirm().catch(() => unapproved());
  return confirm().catch((error) => {
    // The response was lost. An ID works only once, so repeating it is safe.
    if (error instanceof TypeError && attempt === 1) return confirm();
    if (error.code === 'confirmation_invalid' && attempt < 3) {
      return habit === 'sends a refused ID again' ? confirm() : images(attempt + 1);
    }
    throw error;
  });
}

try {
  const balance = call('credits.balance', {});
  if (!habits.includes('sends all reads at the same time')) await balance;
  const reading = ['schedule.read', 'content.status', 'connections.status'].map((tool) => call(tool, place));
  await Promise.all([balance, ...reading]);
  if (habit === 'calls a tool that does not exist') await call('schedule.write', place).catch(() => undefined);
  if (habit === 'wraps the body in an array')
    await fetch(`${tools}schedule.read`, { method: 'POST', headers: head(), body: '[{}]' });
  if (habit === 'sends the word "tomorrow" as the day')
    await call('content.create_request', { format: 'posts', day: 'tomorrow' }).catch(() => 0);
  if (habit === 'sends the wrong kind when it requests an item') {
    const found = await call('library.search', { query: '', ...place });
    const [item] = Array.isArray(found.items) ? found.items : [];
    await call('library.get', { kind: `${item.kind}s`, id: item.id, ...place }).catch(() => undefined);
  }
  if (habit === 'retries after every failure') {
    const again = () => call('content.create_request', { format: 'posts', day: '2031-01-02', ...place });
    await again()
      .catch(() => again())
      .catch(() => undefined);
  }
  if (
    habits.includes('checks the content status before it repeats a content request') ||
    habit === 'repeats a content request after a lost response'
  )
    await create();
  if (habit === 'rejects responses with unknown fields') {
    const known = new Set(['ok', 'balance']);
    const strange = Object.keys(await call('credits.balance', {})).filter((name) => !known.has(name));
    if (strange.length > 0) throw new Error(`unknown: ${strange}`);
  }
  if (habit === 'reads the first item of an empty search') {
    const { items } = await call('library.search', { query: '', ...place });
    const [item] = Array.isArray(items) ? items : [];
    console.log(item.title);
  }
  if (habit === 'prints 1970 for a date that is null') {
    const piece = await call('content.create_request', { format: 'posts', day: '2031-01-02', ...place });
    const time = typeof piece.scheduled_for === 'string' ? piece.scheduled_for : 0;
    console.log('planned for', new Date(time).toISOString(), 'in', piece.workspace);
  }
  if (habit === 'uses the wrong name for an argument')
    await call('knowledge.search', { question: 'Who are we?', ...place });
  const run = await images();
  console.log('run', run.run_id, 'in', run.workspace);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
