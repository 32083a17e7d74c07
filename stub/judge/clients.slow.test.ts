import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import type { RunResult } from '../../suites/result.ts';
import { judged, type Language, missingLanguages, starts } from '../../test/judge/judged-client.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { PersonAnswers } from './person.ts';

type Finding = `${'failed' | 'warned'} ${ClientRuleId}`;
type Told = Finding | { readonly person: PersonAnswers };

/**
 * A client with one mistake, the scenarios that show it, and the expected findings. If there are several, the cause
 * comes first.
 */
type Mistake = readonly [language: Language, mistake: string, scenarios: string, ...told: Told[]];

const approving = { person: { proposals: 'approve' } } as const;
const guessed = ['failed client-workspaces.chosen-by-a-person', 'warned client-workspaces.choices-shown'] as const;
const inWorkspaces = 'ambiguous,ambiguous-again,other-names';

/** Grouped by type of mistake. */
const mistakes: readonly Mistake[] = [
  // Keys
  ['perl', 'also sends its key in X-Api-Key', 'plain', 'failed client-keys.only-in-authorization'],
  ['bash', 'also sends its key in the URL', 'plain', 'failed client-keys.only-in-authorization'],
  ['bash', 'sends its key to the target of a redirect', 'redirected', 'warned client-keys.not-elsewhere'],
  ['python', 'prints its key', 'plain', 'warned client-keys.not-in-output'],
  ['python', 'prints its key in Base64', 'plain', 'warned client-keys.not-in-output'],
  // Requests
  ['perl', 'sends an empty title', 'plain', 'failed client-requests.valid-arguments'],
  ['perl', 'writes part of a tool name in uppercase', 'plain', 'failed client-requests.known-tools'],
  [
    'perl',
    'sends form data instead of JSON',
    'plain',
    'failed client-requests.json-object',
    'warned client-requests.content-type',
  ],
  ['bash', 'does not set the content type', 'plain', 'warned client-requests.content-type'],
  // Responses
  [
    'python',
    'ignores the field ok',
    'refused-library.search',
    'failed client-outcomes.ok-decides',
    'warned client-outcomes.reason-shown',
  ],
  [
    'python',
    'ignores the field ok',
    'refused-content.create_request',
    'failed client-outcomes.ok-decides',
    'warned client-outcomes.failure-told',
  ],
  [
    'perl',
    'treats every 200 as a success',
    'invalid-library.search',
    'failed client-outcomes.ok-decides',
    'warned client-outcomes.reason-shown',
  ],
  [
    'bash',
    'checks only the status',
    'refused',
    'failed client-outcomes.ok-decides',
    'warned client-outcomes.failure-told',
  ],
  [
    'python',
    'ignores the status',
    'failed-everything',
    'failed client-outcomes.status-decides',
    'warned client-outcomes.failure-told',
  ],
  [
    'bash',
    'checks neither the status nor the body',
    'failed-everything',
    'failed client-outcomes.status-decides',
    'warned client-outcomes.failure-told',
  ],
  ['python', 'exits with 0 after a failure', 'failed-everything', 'warned client-outcomes.failure-told'],
  ['python', 'exits with 0 after a failure', 'refused-everything', 'warned client-outcomes.failure-told'],
  ['python', 'crashes after a refusal', 'refused-content.create_request', 'warned client-outcomes.no-crash'],
  ['perl', 'is killed by a signal after a refusal', 'refused-everything', 'warned client-outcomes.no-crash'],
  ['perl', 'rejects responses with too many fields', 'unknown-fields', 'failed client-outcomes.unknown-fields'],
  // Choice of the workspace
  ['python', 'selects the first workspace', inWorkspaces, ...guessed],
  ['python', 'selects the last workspace', inWorkspaces, 'failed client-workspaces.chosen-by-a-person'],
  ['python', 'selects the alphabetically first workspace', inWorkspaces, ...guessed],
  ['python', 'selects a hard-coded workspace', 'other-names', 'failed client-workspaces.chosen-by-a-person'],
  ['python', 'selects a random workspace', 'ambiguous', 'warned client-workspaces.choices-shown'],
  [
    'python',
    'uses a workspace that the person did not select',
    'ambiguous',
    'failed client-workspaces.chosen-by-a-person',
    { person: { proposals: 'approve' } },
  ],
  // Confirmations
  ['perl', 'confirms without asking a person', 'plain', 'warned client-confirmations.time-to-read'],
  ['perl', 'omits the workspace from the confirmation', 'plain', 'failed client-confirmations.same-request'],
  ['python', 'confirms a denied proposal', 'denied', 'failed client-confirmations.approved', approving],
  ['python', 'confirms before the person answers', 'denied', 'failed client-confirmations.approved', approving],
  ['python', 'sends the ID in uppercase', 'plain', 'failed client-confirmations.id-as-given'],
  ['bash', 'confirms twice', 'plain', 'failed client-confirmations.once'],
  ['python', 'confirms the same ID in two threads', 'plain', 'failed client-confirmations.one-at-a-time'],
  ['perl', 'confirms 31 minutes later', 'plain', 'warned client-confirmations.in-time'],
  // Rate limits
  ['python', 'retries after 0.1 seconds', 'limited', 'failed client-limits.retry-after'],
  ['perl', 'waits at most five seconds', 'limited-longer', 'failed client-limits.retry-after'],
  // Retries
  ['perl', 'retries after a 401', 'closed', 'failed client-retries.only-what-may-help'],
  [
    'python',
    'repeats every request after a 5xx',
    'gateway-content.create_request',
    'warned client-retries.no-blind-repeat',
  ],
  [
    'python',
    'spends again without asking the person again',
    'denied-after-loss',
    'failed client-confirmations.approved',
    'warned client-retries.no-blind-repeat',
    approving,
  ],
  [
    'python',
    'repeats a content request after its own timeout',
    'stalled-content.create_request',
    'warned client-retries.no-blind-repeat',
  ],
];

/** A conforming client with unusual habits, optionally with a simulated person. */
type Good = readonly [language: Language, habits: readonly string[], person?: PersonAnswers];

const ofPython = [
  'polls the content status',
  'reads in parallel threads',
  'reads the balance repeatedly',
  'creates the same content request three times',
  'terminates its worker with a signal',
  'repeats a confirmation after a lost response',
];

/** Clients that pass every scenario. */
const good: readonly Good[] = [
  ['python', []],
  ['python', [], { proposals: 'deny' }],
  ['python', ofPython],
  ['python', ofPython, { proposals: 'approve' }],
  ['bash', ['lets curl retry a read', 'confirms in another process']],
  [
    'perl',
    [
      'uses a single connection',
      'pipelines two requests',
      'sends bodies in chunks',
      'waits one second longer than Retry-After',
    ],
  ],
];

for (const [language, mistake, scenarios, ...told] of mistakes) {
  const findings = told.filter((each) => typeof each === 'string');
  const [person] = told.flatMap((each) => (typeof each === 'string' ? [] : [each.person]));
  const name = `a client in ${language}: ${mistake}, in ${scenarios}`;
  test.skipIf(missingLanguages.includes(language))(`${name} (needs ${language})`, async () => {
    const { broken } = await judged([...starts[language], mistake], { only: scenarios.split(','), person });
    expect(broken.map(({ id, status }) => `${status} ${id}`)).toEqual(findings);
  });
}

for (const [language, habits, person] of good) {
  const habit = habits.join(' + ');
  const name = `a good client in ${language}: ${habit} ${person?.proposals ?? ''}`;
  test.skipIf(missingLanguages.includes(language))(`${name} (needs ${language})`, async () => {
    expect(await judged([...starts[language], habit], { person })).toEqual({ trouble: undefined, broken: [] });
  });
}

const behindProxy = fileURLToPath(new URL('../../test/judge/behind-proxy.ts', import.meta.url));

/** Mistakes above that requests show, one or two of each topic. */
const habits: readonly string[] = [
  'also sends its key in X-Api-Key',
  'sends form data instead of JSON',
  'confirms twice',
  'confirms the same ID in two threads',
  'retries after 0.1 seconds',
  'repeats every request after a 5xx',
];
const chosen = mistakes.filter(([, habit]) => habits.includes(habit));

/** Clients with their scenario and the findings of the proxy. */
const clients: readonly (readonly [Language, habit: string, scenario: string, ...findings: unknown[]])[] = [
  ...chosen,
  // Only a run without refusals shows how often the client sends a request, and the proxy has no such run.
  ['perl', 'retries after a 401', 'closed'],
  ['python', '', 'limited'],
  ['bash', 'lets curl retry a read', 'limited'],
];

test('each of these mistakes is above once', () => {
  expect(chosen.map(([, habit]) => habit).sort()).toEqual(habits.toSorted());
});

const folder = temporaryFolder();

for (const [language, habit, scenario, ...findings] of clients) {
  const name = `a client in ${language} through a proxy: ${habit}, in ${scenario}`;
  test.skipIf(missingLanguages.includes(language))(name, { timeout: 180_000 }, async () => {
    const out = await mkdtemp(join(folder, 'of-'));
    const command = [process.execPath, behindProxy, out, ...starts[language], habit];
    const { trouble } = await judged(command, { timeoutSeconds: 60, only: [scenario] });
    const reports = (await readdir(out)).map(async (name): Promise<RunResult> => {
      return JSON.parse(await readFile(join(out, name, 'report.json'), 'utf8'));
    });
    const all = (await Promise.all(reports)).flatMap(({ requirements }) => requirements);
    const broken = all.filter(({ id, status }) => ['failed', 'warned'].includes(status) && id.startsWith('client-'));
    const found = new Set(broken.map(({ id, status }) => `${status} ${id}`));
    // A person's approval happens on the control plane, which the proxy does not see.
    found.delete('warned client-confirmations.time-to-read');
    expect([...found].sort()).toEqual(findings);
    if (findings.length === 0) expect(trouble).toBeUndefined();
  });
}
