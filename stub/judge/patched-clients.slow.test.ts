import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import { judged } from '../../test/judge/judged-client.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

/** A conforming client. */
const client = `
import { createInterface } from 'node:readline';
import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
const { TCK_BASE_URL: base, TCK_KEY_PRIMARY: key, TCK_BOARD: board } = process.env;
const { TCK_SHAPE: shape, TCK_PERSON: person } = process.env;
let workspace = process.env.TCK_WORKSPACE;
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const ask = async (question) => {
  console.log(question);
  return (await input.next()).value ?? '';
};
const why = ({ code, message, issues = [] }) =>
  [code, message, ...issues.map((one) => one.path + ' ' + one.message)].join(' ');
async function call(tool, args, attempt = 1) {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const given = tool === 'credits.balance' || !workspace ? args : { ...args, workspace };
  const request = { method: 'POST', headers, body: JSON.stringify(given), redirect: 'manual' };
  const response = await fetch(base + '/api/v1/tools/' + tool, request);
  if (response.status === 429 && attempt < 9) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * response.headers.get('retry-after') + 20));
    return call(tool, args, attempt + 1);
  }
  const body = await response.json();
  if (body.error) throw new Error(tool + ' ' + response.status + ' ' + why(body.error));
  if (body.code === 'workspace_ambiguous' && !workspace) {
    workspace = await ask('Which workspace: ' + body.workspaces.join(', '));
    if (workspace) return call(tool, args, attempt + 1);
  }
  if (!body.ok) throw Object.assign(new Error(tool + ' ' + why(body)), { code: body.code });
  return body;
}
async function search() {
  return call('library.search', { query: '' });
}
async function image(attempt = 1) {
  const request = { board, brief: 'a cup', count: 1, shape };
  const { confirmation_id, request_summary } = await call('images.generate', request);
  const answer = await ask(request_summary + ' (y/n)');
  if (answer !== 'y') return console.log('not approved');
  const confirm = () => call('images.generate', { ...request, confirmation_id });
  try {
    const run = await confirm();
    console.log('started', run.run_id, 'in', run.workspace);
  } catch (error) {
    if (error.code !== 'confirmation_invalid' || attempt > 2) throw error;
    console.log('too late, once more');
    await image(attempt + 1);
  }
}
try {
  // first
  const { balance } = await call('credits.balance', {});
  console.log('balance', balance);
  const found = await search();
  console.log(found.total, 'items in', found.workspace);
  await image();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
process.stdin.destroy();
`;

/** A change of the client: texts with their replacements, the scenarios to run, and the rules that it then breaks. */
type Patch = readonly [
  what: string,
  patch: Readonly<Record<string, string>>,
  scenarios: string,
  ...broken: ClientRuleId[],
];

const asking = "ask(request_summary + ' (y/n)')";
const found = "{ query: '' });";
const proposing = "const { confirmation_id, request_summary } = await call('images.generate', request);";
/** Proposes again after any failure of a confirmation. */
const anew = (before: string) => ({
  "error.code !== 'confirmation_invalid' || ": '',
  "console.log('too late, once more');": before,
});
const unread = { 'if (!body.ok) throw': 'if (false) throw', 'if (body.error) throw': 'if (false) throw' };
const endless =
  'for (;;) { const { value } = await input.next(); if (value) return value; await new Promise(setImmediate); }';

const mistakes: readonly Patch[] = [
  ['never reads the status', unread, 'surface-disabled', 'client-outcomes.status-decides', 'client-outcomes.ends'],
  ['proposes again after a lost confirmation', anew(''), 'lost-images.generate', 'client-retries.no-blind-repeat'],
  [
    'takes confirmation_invalid for success',
    { "console.log('too late, once more');": "return console.log('already confirmed');" },
    'expired',
    'client-outcomes.failure-told',
  ],
  [
    'asks only for the first proposal',
    { [`await ${asking}`]: `attempt > 1 ? 'y' : await ${asking}` },
    'denied-after-expiry',
    'client-confirmations.approved',
  ],
  [
    'turns a refusal into an empty list',
    { [found]: "{ query: '' }).catch(() => ({ total: 0, workspace }));" },
    'refused-library.search',
    'client-outcomes.ok-decides',
  ],
  [
    'never names the workspace',
    { "found.total, 'items in', found.workspace": 'found.items[0]?.title', ", 'in', run.workspace": '' },
    'large',
    'client-workspaces.named',
  ],
  [
    'does not offer the choices',
    { "await ask('Which workspace: ' + body.workspaces.join(', '))": "''" },
    'ambiguous',
    'client-workspaces.choices-offered',
  ],
  ['shows no issue', { '...issues.map(': '...[].map(' }, 'invalid-library.search', 'client-outcomes.reason-shown'],
  [
    'claims a run that nobody approved',
    { "console.log('not approved')": "console.log('started', undefined, 'in', workspace)" },
    'denied',
    'client-outcomes.failure-told',
  ],
  ['asks for ever', { "return (await input.next()).value ?? '';": endless }, 'input-ends', 'client-outcomes.ends'],
  [
    'takes the end of input for a yes',
    { "answer !== 'y'": "answer === 'n'" },
    'input-ends',
    'client-confirmations.approved',
  ],
  [
    'drops the path of the base URL',
    { "base + '/api/v1/tools/' + tool": "new URL('/api/v1/tools/' + tool, base)" },
    'other-server',
    'client-requests.known-tools',
    'client-outcomes.other-servers',
  ],
  ['asks without the summary', { [asking]: "ask('Go on? (y/n)')" }, 'large', 'client-confirmations.summary-shown'],
  [
    'shows the summary only after the answer',
    { [asking]: "ask('Go on? (y/n)')", "console.log('started',": "console.log(request_summary, 'started'," },
    'denied,large',
    'client-confirmations.summary-shown',
  ],
  ['writes its key into a file', { '// first': "writeFileSync('x', key);" }, 'large', 'client-keys.not-in-output'],
];

/** Conforming variations. */
const good: readonly Patch[] = [
  [
    'is unchanged',
    {},
    'refused-credits.balance,refused-library.search,refused,surface-disabled,ambiguous,input-ends,empty,other-server,' +
      'input-ends-ambiguous,always-expired,refused-confirmation,lost-images.generate,denied,denied-after-expiry',
  ],
  [
    'reads TCK_PERSON, and confirms at once',
    { [`await ${asking};`]: "person === 'approve' ? 'y' : 'n'; console.log(request_summary);" },
    'denied,denied-after-loss,expired,denied-after-expiry',
  ],
  ['first calls images.generate', { '// first': 'await image();' }, 'ambiguous,ambiguous-again'],
  ['has several open proposals', { 'await image();': 'await Promise.all([image(), image()]);' }, 'expired,denied'],
  [
    'reads the balance before it proposes again',
    anew("console.log('balance', (await call('credits.balance', {})).balance);"),
    'lost-images.generate',
  ],
  [
    'says what it does without',
    { [found]: "{ query: '' }).catch((error) => (console.log(error.message), { total: '-', workspace }));" },
    'refused-library.search,invalid-library.search',
  ],
  [
    'prints its balance after each answer of the person',
    { 'await image();': "await image(); console.log((await call('credits.balance', {})).balance, 'left');" },
    'denied,denied-after-expiry,input-ends',
  ],
  [
    'keeps its proposal in a file',
    {
      [proposing]: `const file = 'pending.json';
        if (!existsSync(file)) writeFileSync(file, JSON.stringify(await call('images.generate', request)));
        const { confirmation_id, request_summary } = JSON.parse(readFileSync(file, 'utf8'));`,
    },
    'large,limited,denied',
  ],
  [
    'removes its file',
    {
      '// first': "if (existsSync('lock')) throw new Error('locked'); writeFileSync('lock', '');",
      'process.stdin.destroy();': "unlinkSync('lock'); process.stdin.destroy();",
    },
    'large,limited,unknown-fields',
  ],
  [
    'sends three readings at once',
    {
      'await search();':
        "(await Promise.all([search(), call('content.status', {}), call('connections.status', {})]))[0];",
    },
    'limited',
  ],
];

const parent = temporaryFolder();

for (const [what, patch, scenarios, ...ids] of [...mistakes, ...good]) {
  test(`a client that ${what}`, async () => {
    const folder = await mkdtemp(join(parent, 'client-'));
    let text = client;
    for (const [before, instead] of Object.entries(patch)) {
      expect(text).toContain(before);
      text = text.replace(before, instead);
    }
    await writeFile(join(folder, 'client.mjs'), text);
    const person = { proposals: 'approve' } as const;
    const options = { folder, timeoutSeconds: 10, person, only: scenarios.split(',') };
    const { trouble, broken } = await judged([process.execPath, 'client.mjs'], options);
    const found = broken.map(({ id, findings }) => `${id}: ${findings[0]?.actual}`);
    expect({ trouble, found }).toEqual({
      trouble: undefined,
      found: ids.map((id) => expect.stringMatching(`^${id}:`)),
    });
  });
}
