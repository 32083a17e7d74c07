import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type ClientRuleId, clientRules } from '../../fixtures/client-rules.ts';
import { judged, type Language, missingLanguages, starts } from '../../test/judge/judged-client.ts';
import { reportIn } from '../../test/output.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { PersonAnswers } from './person.ts';

/** An ID of a rule without its prefix. */
type Rule = ClientRuleId extends `client-${infer Rule}` ? Rule : never;

/**
 * A client with one mistake, the scenarios that show it, and the rules that it breaks. If there are several, the cause
 * comes first. A person approves where the mistake is about the answer of a person.
 */
type Mistake = readonly [language: Language, mistake: string, scenarios: string, ...broken: Rule[]];

const inWorkspaces = 'ambiguous,ambiguous-again,other-names';
const stalled = 'stalled-content.create_request';
const again = ['confirmations.approved', 'retries.no-blind-repeat'] as const;
const guessed = ['workspaces.chosen-by-a-person', 'workspaces.choices-shown'] as const;

/** Grouped by type of mistake. Mistakes of single requests are cases of `test/judge`. */
const mistakes: readonly Mistake[] = [
  // Keys
  ['bash', 'sends its key to the target of a redirect', 'redirected', 'keys.not-elsewhere'],
  ['python', 'prints its key', 'plain', 'keys.not-in-output'],
  // Responses
  ['python', 'ignores the field ok', 'refused-library.search', 'outcomes.ok-decides', 'outcomes.reason-shown'],
  ['bash', 'checks only the status', 'refused', 'outcomes.ok-decides', 'outcomes.failure-told'],
  ['python', 'ignores the status', 'failed-everything', 'outcomes.status-decides', 'outcomes.failure-told'],
  ['python', 'exits with 0 after a failure', 'failed-everything', 'outcomes.failure-told'],
  ['python', 'crashes after a refusal', 'refused-content.create_request', 'outcomes.no-crash'],
  ['perl', 'is killed by a signal after a refusal', 'refused-everything', 'outcomes.no-crash'],
  // Choice of the workspace
  ['python', 'selects the first workspace', inWorkspaces, ...guessed],
  ['python', 'selects a hard-coded workspace', 'other-names', 'workspaces.chosen-by-a-person'],
  ['python', 'uses a workspace that the person did not select', 'ambiguous', 'workspaces.chosen-by-a-person'],
  // Confirmations
  ['python', 'confirms a denied proposal', 'denied', 'confirmations.approved'],
  ['python', 'confirms the same ID in two threads', 'plain', 'confirmations.one-at-a-time'],
  // Rate limits
  ['python', 'retries after 0.1 seconds', 'limited', 'limits.retry-after'],
  // Retries
  ['perl', 'retries after a 401', 'closed', 'retries.only-what-may-help'],
  ['python', 'repeats every request after a 5xx', 'gateway-content.create_request', 'retries.no-blind-repeat'],
  ['python', 'spends again without asking the person again', 'denied-after-loss', ...again],
  ['python', 'repeats a content request after its own timeout', stalled, 'retries.no-blind-repeat'],
];

/** The scenarios in which the person answers for the client. */
const withPerson = /denied|did not select/;

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

const ofPerl = [
  ...['uses a single connection', 'pipelines two requests', 'sends bodies in chunks'],
  'waits one second longer than Retry-After',
];

/** Clients that pass every scenario. */
const good: readonly Good[] = [
  ['python', [], { proposals: 'deny' }],
  ['python', ofPython],
  ['bash', ['lets curl retry a read', 'confirms in another process']],
  ['perl', ofPerl],
];

/** The status that a client gets by breaking a rule. */
const statusOf = (id: ClientRuleId) => `${clientRules[id].level === 'must' ? 'failed' : 'warned'} ${id}`;
const findings = (rules: readonly Rule[]) => rules.map((rule) => statusOf(`client-${rule}`));

for (const [language, mistake, scenarios, ...broken] of mistakes) {
  const name = `a client in ${language}: ${mistake}, in ${scenarios}`;
  const person = withPerson.test(name) ? ({ proposals: 'approve' } as const) : undefined;
  test.skipIf(missingLanguages.includes(language))(`${name} (needs ${language})`, async () => {
    const result = await judged([...starts[language], mistake], { only: scenarios.split(','), person });
    expect(result.broken.map(({ id, status }) => `${status} ${id}`)).toEqual(findings(broken));
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

/** Mistakes above that the times of requests or lost responses show. The test of `tck proxy` has others. */
const timed = /two threads|retries after 0\.1 seconds|after a 5xx/;
const chosen = mistakes.filter(([, habit]) => timed.test(habit));

/** Clients with their scenario and the findings of the proxy. */
const clients: readonly Mistake[] = [
  ...chosen,
  // Only a run without refusals shows how often the client sends a request, and the proxy has no such run.
  ['perl', 'retries after a 401', 'closed'],
  ['python', '', 'limited'],
  ['bash', 'lets curl retry a read', 'limited'],
];

test('there are three of these mistakes', () => expect(chosen).toHaveLength(3));

const folder = temporaryFolder();

for (const [language, habit, scenario, ...rules] of clients) {
  const name = `a client in ${language} through a proxy: ${habit}, in ${scenario}`;
  test.skipIf(missingLanguages.includes(language))(name, { timeout: 180_000 }, async () => {
    const out = await mkdtemp(join(folder, 'of-'));
    const command = [process.execPath, behindProxy, out, ...starts[language], habit];
    const { trouble } = await judged(command, { timeoutSeconds: 60, only: [scenario] });
    const reports = await Promise.all((await readdir(out)).map((name) => reportIn(join(out, name))));
    const all = reports.flatMap(({ requirements }) => requirements);
    const broken = all.filter(({ id, status }) => ['failed', 'warned'].includes(status) && id.startsWith('client-'));
    const found = new Set(broken.map(({ id, status }) => `${status} ${id}`));
    // A person's approval happens on the control plane, which the proxy does not see.
    found.delete('warned client-confirmations.time-to-read');
    expect([...found].sort()).toEqual(findings(rules));
    if (rules.length === 0) expect(trouble).toBeUndefined();
  });
}
