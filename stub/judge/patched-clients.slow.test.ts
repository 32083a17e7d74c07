import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import { judged } from '../../test/judge/judged-client.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

/** A conforming client. Each patch replaces one of its lines. */
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

/** A patch of the client, the scenarios to run, and the rules that the patched client breaks there. */
type Patch = readonly [
  what: string,
  patch: readonly (readonly [line: string, instead: string])[],
  scenarios: string,
  ...broken: ClientRuleId[],
];

const unread = [
  ["if (!body.ok) throw Object.assign(new Error(tool + ' ' + why(body)), { code: body.code });", ''],
  ["if (body.error) throw new Error(tool + ' ' + response.status + ' ' + why(body.error));", ''],
] as const;
const anew = (before: string) =>
  [
    ["if (error.code !== 'confirmation_invalid' || attempt > 2) throw error;", ''],
    ["console.log('too late, once more');", `if (attempt > 2) throw error; ${before}`],
  ] as const;

const mistakes: readonly Patch[] = [
  ['never reads the status', unread, 'surface-disabled', 'client-outcomes.status-decides', 'client-outcomes.ends'],
  [
    'proposes again after a lost confirmation, with the same question',
    anew(''),
    'lost-images.generate',
    'client-retries.no-blind-repeat',
  ],
  [
    'takes confirmation_invalid for success',
    [["console.log('too late, once more');", "return console.log('already confirmed');"]],
    'expired',
    'client-outcomes.failure-told',
  ],
  [
    'asks only for the first proposal',
    [
      [
        "const answer = await ask(request_summary + ' (y/n)');",
        "const answer = attempt > 1 ? 'y' : await ask(request_summary + ' (y/n)');",
      ],
    ],
    'denied-after-expiry',
    'client-confirmations.approved',
  ],
  [
    'turns a refusal into an empty list',
    [
      [
        "return call('library.search', { query: '' });",
        "return call('library.search', { query: '' }).catch(() => ({ total: 0, workspace }));",
      ],
    ],
    'refused-library.search',
    'client-outcomes.ok-decides',
  ],
  [
    'hides a refusal behind other words',
    [
      [
        "return call('library.search', { query: '' });",
        "return call('library.search', { query: '' }).catch(() => ({ total: 'no', workspace }));",
      ],
    ],
    'refused-library.search',
    'client-outcomes.reason-shown',
  ],
  [
    'hangs after a refusal',
    [['console.error(error.message);', 'console.error(error.message); setInterval(() => {}, 1000);']],
    'refused',
    'client-outcomes.ends',
  ],
  [
    'never names the workspace',
    [
      ["console.log(found.total, 'items in', found.workspace);", 'console.log(found.items[0]?.title);'],
      ["console.log('started', run.run_id, 'in', run.workspace);", "console.log('started', run.run_id);"],
    ],
    'large',
    'client-workspaces.named',
  ],
  [
    'prints 0 for a balance that was refused',
    [
      [
        "const { balance } = await call('credits.balance', {});",
        "const { balance } = await call('credits.balance', {}).catch(() => ({ balance: 0 }));",
      ],
    ],
    'refused-credits.balance',
    'client-outcomes.ok-decides',
  ],
  [
    'does not offer the choices',
    [["await ask('Which workspace: ' + body.workspaces.join(', '))", "''"]],
    'ambiguous',
    'client-workspaces.choices-offered',
  ],
  [
    'shows no issue',
    [['...issues.map((one) =>', '...[].map((one) =>']],
    'invalid-library.search',
    'client-outcomes.reason-shown',
  ],
  [
    'claims a run that nobody approved',
    [["return console.log('not approved');", "return console.log('started', undefined, 'in', workspace);"]],
    'denied',
    'client-outcomes.failure-told',
  ],
  [
    'asks for ever',
    [
      [
        "return (await input.next()).value ?? '';",
        'for (;;) { const { value } = await input.next(); if (value) return value; await new Promise(setImmediate); }',
      ],
    ],
    'input-ends',
    'client-outcomes.ends',
  ],
  [
    'takes the end of input for a yes',
    [["if (answer !== 'y') return", "if (answer === 'n') return"]],
    'input-ends',
    'client-confirmations.approved',
  ],
  [
    'hides the code of a 403',
    [["+ ' ' + why(body.error)", "+ ' denied'"]],
    'surface-disabled',
    'client-outcomes.reason-shown',
  ],
  [
    'drops the path of the base URL',
    [["base + '/api/v1/tools/' + tool", "new URL('/api/v1/tools/' + tool, base)"]],
    'other-server',
    'client-requests.known-tools',
    'client-outcomes.other-servers',
  ],
  [
    'asks without the summary',
    [["ask(request_summary + ' (y/n)')", "ask('Go on? (y/n)')"]],
    'large',
    'client-confirmations.summary-shown',
  ],
  [
    'shows the summary only after the answer',
    [
      ["ask(request_summary + ' (y/n)')", "ask('Go on? (y/n)')"],
      ["console.log('started',", "console.log(request_summary, 'started',"],
    ],
    'denied,large',
    'client-confirmations.summary-shown',
  ],
  [
    'writes its key into a file',
    [['// first', "writeFileSync('client.log', key);"]],
    'large',
    'client-keys.not-in-output',
  ],
];

const envPerson = [
  [
    "const answer = await ask(request_summary + ' (y/n)');",
    "console.log(request_summary); const answer = person === 'approve' ? 'y' : 'n';",
  ],
] as const;

/** Conforming variations. */
const good: readonly Patch[] = [
  [
    'unchanged',
    [],
    'refused-credits.balance,refused-library.search,refused,surface-disabled,ambiguous,input-ends,empty,other-server,' +
      'input-ends-ambiguous,always-expired,refused-confirmation,lost-images.generate,denied,denied-after-expiry',
  ],
  ['reads TCK_PERSON, and confirms at once', envPerson, 'denied,denied-after-loss,expired,denied-after-expiry'],
  [
    'first calls images.generate',
    [
      [
        "  const { balance } = await call('credits.balance', {});\n",
        "  await image();\n  const { balance } = await call('credits.balance', {});\n",
      ],
    ],
    'ambiguous,ambiguous-again',
  ],
  ['has several open proposals', [['  await image();', '  await Promise.all([image(), image()]);']], 'expired,denied'],
  [
    'reads the balance before it proposes again',
    anew("console.log('balance', (await call('credits.balance', {})).balance);"),
    'lost-images.generate',
  ],
  [
    'says what it does without',
    [
      [
        "return call('library.search', { query: '' });",
        "return call('library.search', { query: '' })" +
          ".catch((error) => (console.log(error.message), { total: '-', workspace }));",
      ],
    ],
    'refused-library.search,invalid-library.search',
  ],
  [
    'prints its balance after each answer of the person',
    [['  await image();', "  await image();\n  console.log((await call('credits.balance', {})).balance, 'left');"]],
    'denied,denied-after-expiry,input-ends',
  ],
  [
    'keeps its proposal in a file',
    [
      [
        "const { confirmation_id, request_summary } = await call('images.generate', request);",
        "const file = 'pending.json';" +
          "if (!existsSync(file)) writeFileSync(file, JSON.stringify(await call('images.generate', request)));" +
          "const { confirmation_id, request_summary } = JSON.parse(readFileSync(file, 'utf8'));",
      ],
    ],
    'large,limited,denied',
  ],
  [
    'removes its file',
    [
      ['  // first', "  if (existsSync('lock')) throw new Error('locked'); writeFileSync('lock', '');"],
      ['process.stdin.destroy();', "unlinkSync('lock'); process.stdin.destroy();"],
    ],
    'large,limited,unknown-fields',
  ],
  [
    'sends three readings at once',
    [
      [
        '  const found = await search();',
        "  const [found] = await Promise.all([search(), call('content.status', {}), call('connections.status', {})]);",
      ],
    ],
    'limited',
  ],
];

const parent = temporaryFolder();

/** Judges the client with a patch. Returns the broken rules. */
async function brokenBy([, patch, scenarios]: Patch) {
  const folder = await mkdtemp(join(parent, 'client-'));
  let text = client;
  for (const [line, instead] of patch) {
    expect(text, line).toContain(line);
    text = text.replace(line, instead);
  }
  await writeFile(join(folder, 'client.mjs'), text);
  const person = { proposals: 'approve' } as const;
  const options = { folder, timeoutSeconds: 10, person, only: scenarios.split(',') };
  const { trouble, broken } = await judged([process.execPath, 'client.mjs'], options);
  return { trouble, broken: broken.map(({ id, findings }) => `${id}: ${findings[0]?.actual}`) };
}

for (const patch of mistakes) {
  const [what, , , ...ids] = patch;
  test(`a client that ${what}`, async () => {
    const broken = ids.map((id) => expect.stringMatching(`^${id}:`));
    expect(await brokenBy(patch)).toEqual({ trouble: undefined, broken });
  });
}

for (const patch of good) {
  test(`a good client: ${patch[0]}`, async () => {
    expect(await brokenBy(patch)).toEqual({ trouble: undefined, broken: [] });
  });
}
