import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import { clientResult } from '../../suites/recorded/client-result.ts';
import { isTriedWhole } from '../../suites/testing/whole.ts';
import type { PersonAnswers } from './person.ts';
import { provoke } from './provoke.ts';

const file = (name: string) => fileURLToPath(new URL(`testing/clients/${name}`, import.meta.url));

/** How clients in each language are started. */
const starts = {
  python: ['python3', file('client.py')],
  bash: ['bash', file('client.sh')],
  typescript: [process.execPath, file('client.ts')],
} as const;

type Language = keyof typeof starts;
const isThere = (language: Language) => spawnSync(starts[language][0], ['--version']).status === 0;

interface How {
  readonly person?: PersonAnswers;
}

async function judged(language: Language, mistake: string, only: readonly string[] | undefined, { person }: How = {}) {
  const command = [...starts[language], mistake];
  const options = { command, seed: 1, timeoutSeconds: 30, attended: false, person, only };
  const { played, trouble } = await provoke(options, {
    stop: new AbortController().signal,
    onScenario: () => undefined,
  });
  const run = { client: mistake, seed: 1, startedAt: new Date(0), durationMs: 1, interrupted: false, trouble };
  const { requirements } = clientResult(played, run);
  const found = requirements.filter(({ status }) => status === 'failed' || status === 'warned' || status === 'errored');
  return { trouble, found: found.map(({ id, status }) => `${status} ${id}`) };
}

type Mistake = [Language, mistake: string, scenario: string, ...findings: `${'failed' | 'warned'} ${ClientRuleId}`[]];

/** Clients with one mistake each, a scenario that shows it, and the one rule that tells it. */
const mistakes: readonly Mistake[] = [
  ['python', 'impatient', 'limited', 'failed client-limits.retry-after'],
  ['python', 'ok ignored', 'refused-library.search', 'failed client-outcomes.ok-decides'],
  ['python', 'ok ignored', 'refused-content.create_request', 'warned client-outcomes.failure-told'],
  ['python', 'exits with 0', 'refused-everything', 'warned client-outcomes.failure-told'],
  ['python', 'crashes', 'refused-content.create_request', 'warned client-outcomes.no-crash'],
  ['python', 'prints its key', 'plain', 'warned client-keys.not-in-output'],
  ['python', 'mangled id', 'plain', 'failed client-confirmations.id-as-given'],
  [
    'python',
    'first workspace',
    'ambiguous,ambiguous-again',
    'failed client-workspaces.chosen-by-a-person',
    'warned client-workspaces.choices-shown',
  ],
  ['python', 'alphabetical workspace', 'ambiguous,other-names', 'failed client-workspaces.chosen-by-a-person'],
  ['python', 'hard-coded workspace', 'other-names', 'failed client-workspaces.chosen-by-a-person'],
  ['python', 'repeats after 5xx', 'gateway', 'warned client-retries.no-blind-repeat'],
  ['bash', 'no content type', 'plain', 'warned client-requests.content-type'],
  ['bash', 'key in the address', 'plain', 'failed client-keys.only-in-authorization'],
  ['bash', 'follows redirects with its key', 'redirected', 'warned client-keys.not-elsewhere'],
  [
    'bash',
    'looks at the status alone',
    'refused',
    'failed client-outcomes.ok-decides',
    'warned client-outcomes.failure-told',
  ],
  [
    'typescript',
    'uses another key',
    'second-key',
    'failed client-limits.retry-after',
    'warned client-limits.no-other-key',
  ],
  ['typescript', 'confirms without a person', 'plain', 'warned client-confirmations.time-to-read'],
  ['typescript', 'changes the count', 'plain', 'failed client-confirmations.same-request'],
  ['typescript', 'sends a refused id again', 'expired', 'failed client-confirmations.fresh-proposal'],
  ['typescript', 'a strict schema', 'unknown-fields', 'failed client-outcomes.unknown-fields'],
  ['typescript', 'a tool that is none', 'plain', 'failed client-requests.known-tools'],
  ['typescript', 'a body in a list', 'plain', 'failed client-requests.json-object'],
  ['typescript', 'a day of its own', 'plain', 'failed client-requests.valid-arguments'],
  ['typescript', 'an item under another kind', 'plain', 'warned client-requests.item-as-found'],
  [
    'typescript',
    'tries everything again',
    'refused-content.create_request',
    'failed client-retries.only-what-may-help',
  ],
  ['bash', 'confirms twice', 'plain', 'failed client-confirmations.once'],
  ['typescript', 'a typing error', 'plain', 'warned client-requests.known-arguments'],
];

/** Good clients, each in the scenarios that its habits make difficult. */
const good: readonly [Language, habit: string, scenarios: readonly string[] | undefined, how?: How][] = [
  ['typescript', 'all at once', ['limited', 'second-key', 'closed', 'gateway']],
  ['python', '', ['limited', 'refused-library.search', 'gateway', 'expired', 'ambiguous', 'ambiguous-again', 'closed']],
  ['python', '', ['denied', 'ambiguous', 'ambiguous-again', 'expired'], { person: { proposals: 'approve' } }],
  ['python', '', ['plain'], { person: { proposals: 'deny' } }],
  ['python', '', undefined],
  ['typescript', '', undefined],
  ['bash', '', undefined],
  ['bash', '', ['limited', 'refused', 'redirected', 'lost', 'large']],
  ['typescript', '', ['lost', 'limited', 'second-key', 'expired', 'truncated', 'unknown-fields']],
];

/** All of them with TCK_WHOLE=clients; otherwise a sample. */
const isAll = isTriedWhole('clients');
const sample = (_each: unknown, index: number) => isAll || index % 4 === 2;

describe.each(mistakes.filter(sample))('a client in %s: %s', (language, mistake, scenario, ...findings) => {
  test.skipIf(!isThere(language))(`in ${scenario}: ${findings.join(', ')}`, { timeout: 60_000 }, async () => {
    expect((await judged(language, mistake, scenario.split(','))).found).toEqual(findings);
  });
});

describe.each(good.filter(sample))('a good client in %s %s', (language, habit, scenarios, how) => {
  test.skipIf(!isThere(language))(`in ${scenarios?.join(', ') ?? 'every scenario'}`, { timeout: 60_000 }, async () => {
    expect(await judged(language, habit, scenarios, how)).toEqual({ trouble: undefined, found: [] });
  });
});

test.skipIf(!isThere('python'))('a client that confirms what its person denied', { timeout: 60_000 }, async () => {
  const person: PersonAnswers = { proposals: 'approve' };
  const { found } = await judged('python', 'confirms what was denied', ['denied'], { person });
  expect(found).toEqual(['failed client-confirmations.approved']);
});
