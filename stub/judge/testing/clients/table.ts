import { fileURLToPath } from 'node:url';
import type { ClientRuleId } from '../../../../fixtures/client-rules.ts';
import type { PersonAnswers } from '../../person.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Start command of the clients in each language. */
export const starts = {
  python: ['python3', file('client.py')],
  bash: ['bash', file('client.sh')],
  typescript: [process.execPath, file('client.ts')],
  perl: ['perl', file('client.pl')],
} as const;

export type Language = keyof typeof starts;
type Finding = `${'failed' | 'warned'} ${ClientRuleId}`;
type Told = Finding | { readonly person: PersonAnswers };

/**
 * A client with one mistake, the scenarios that show it, and the expected findings. If there are several, the cause
 * comes first.
 */
export type Mistake = readonly [language: Language, mistake: string, scenarios: string, ...told: Told[]];

const approving = { person: { proposals: 'approve' } } as const;
const guessed = ['failed client-workspaces.chosen-by-a-person', 'warned client-workspaces.choices-shown'] as const;
const inWorkspaces = 'ambiguous,ambiguous-again,other-names';

/** Grouped by type of mistake. */
export const mistakes: readonly Mistake[] = [
  // Keys
  ['perl', 'key in a header of its own', 'plain', 'failed client-keys.only-in-authorization'],
  [
    'perl',
    'key in the body',
    'plain',
    'failed client-keys.only-in-authorization',
    'failed client-requests.valid-arguments',
    'warned client-requests.known-arguments',
  ],
  ['perl', 'basic authentication', 'plain', 'failed client-keys.only-in-authorization'],
  ['bash', 'key in the address', 'plain', 'failed client-keys.only-in-authorization'],
  ['bash', 'follows redirects with its key', 'redirected', 'warned client-keys.not-elsewhere'],
  ['python', 'prints its key', 'plain', 'warned client-keys.not-in-output'],
  ['python', 'prints its key in base64', 'plain', 'warned client-keys.not-in-output'],
  // Requests
  ['typescript', 'a tool that does not exist', 'plain', 'failed client-requests.known-tools'],
  ['perl', 'GET instead of POST', 'plain', 'failed client-requests.known-tools'],
  ['perl', 'a tool in capitals', 'plain', 'failed client-requests.known-tools'],
  ['typescript', 'a body in a list', 'plain', 'failed client-requests.json-object'],
  ['perl', 'JSON twice', 'plain', 'failed client-requests.json-object'],
  ['perl', 'a form', 'plain', 'failed client-requests.json-object', 'warned client-requests.content-type'],
  ['bash', 'no content type', 'plain', 'warned client-requests.content-type'],
  ['typescript', 'a day of its own', 'plain', 'failed client-requests.valid-arguments'],
  ['perl', 'a count in quotes', 'plain', 'failed client-requests.valid-arguments'],
  ['perl', 'an empty title', 'plain', 'failed client-requests.valid-arguments'],
  ['perl', 'a format of its own', 'plain', 'failed client-requests.valid-arguments'],
  ['perl', 'a property of its own', 'plain', 'failed client-requests.valid-arguments'],
  ['typescript', 'a typing error', 'plain', 'warned client-requests.known-arguments'],
  ['typescript', 'an item under another kind', 'plain', 'warned client-requests.item-as-found'],
  // Responses
  ['python', 'ok ignored', 'refused-library.search', 'failed client-outcomes.ok-decides'],
  ['python', 'ok ignored', 'refused-content.create_request', 'warned client-outcomes.failure-told'],
  ['perl', 'takes every 200 for a result', 'invalid-library.search', 'failed client-outcomes.ok-decides'],
  [
    'bash',
    'looks at the status alone',
    'refused',
    'failed client-outcomes.ok-decides',
    'warned client-outcomes.failure-told',
  ],
  [
    'typescript',
    'takes a refused proposal for a good one',
    'refused',
    'failed client-outcomes.ok-decides',
    'warned client-outcomes.failure-told',
  ],
  [
    'python',
    'status ignored',
    'failed-everything',
    'failed client-outcomes.status-decides',
    'warned client-outcomes.failure-told',
  ],
  [
    'bash',
    'looks at nothing',
    'failed-everything',
    'failed client-outcomes.status-decides',
    'warned client-outcomes.failure-told',
  ],
  ['typescript', 'looks for ok false alone', 'failed-everything', 'warned client-outcomes.failure-told'],
  ['python', 'exits with 0', 'failed-everything', 'warned client-outcomes.failure-told'],
  ['python', 'exits with 0', 'refused-everything', 'warned client-outcomes.failure-told'],
  ['python', 'crashes', 'refused-content.create_request', 'warned client-outcomes.no-crash'],
  ['perl', 'is ended by a signal', 'refused-everything', 'warned client-outcomes.no-crash'],
  ['typescript', 'a strict schema', 'unknown-fields', 'failed client-outcomes.unknown-fields'],
  ['perl', 'counts the fields', 'unknown-fields', 'failed client-outcomes.unknown-fields'],
  // Choice of the workspace
  ['python', 'first workspace', inWorkspaces, ...guessed],
  ['python', 'last workspace', inWorkspaces, 'failed client-workspaces.chosen-by-a-person'],
  ['python', 'alphabetical workspace', inWorkspaces, ...guessed],
  ['python', 'hard-coded workspace', 'other-names', 'failed client-workspaces.chosen-by-a-person'],
  ['python', 'random workspace', 'ambiguous', 'warned client-workspaces.choices-shown'],
  [
    'python',
    'another workspace than was named',
    'ambiguous',
    'failed client-workspaces.chosen-by-a-person',
    { person: { proposals: 'approve' } },
  ],
  // Confirmations
  ['typescript', 'confirms without a person', 'plain', 'warned client-confirmations.time-to-read'],
  ['perl', 'approves nothing', 'plain', 'warned client-confirmations.time-to-read'],
  ['python', 'confirms what was denied', 'denied', 'failed client-confirmations.approved', approving],
  ['python', 'does not wait for the answer', 'plain', 'failed client-confirmations.approved', approving],
  ['typescript', 'changes the count', 'plain', 'failed client-confirmations.same-request'],
  ['perl', 'changes the brief', 'plain', 'failed client-confirmations.same-request'],
  ['perl', 'leaves the workspace out', 'plain', 'failed client-confirmations.same-request'],
  ['python', 'mangled id', 'plain', 'failed client-confirmations.id-as-given'],
  ['perl', 'a shortened id', 'plain', 'failed client-confirmations.id-as-given'],
  ['bash', 'confirms twice', 'plain', 'failed client-confirmations.once'],
  ['typescript', 'confirms twice at once', 'plain', 'failed client-confirmations.one-at-a-time'],
  ['python', 'confirms in two threads', 'plain', 'failed client-confirmations.one-at-a-time'],
  ['typescript', 'sends a refused id again', 'expired', 'failed client-confirmations.fresh-proposal'],
  ['perl', 'confirms an hour later', 'plain', 'warned client-confirmations.in-time'],
  // Rate limits
  ['python', 'impatient', 'limited', 'failed client-limits.retry-after'],
  ['perl', 'waits too short', 'limited', 'failed client-limits.retry-after'],
  ['perl', 'seconds taken for milliseconds', 'limited', 'failed client-limits.retry-after'],
  ['perl', 'waits five seconds at most', 'limited-longer', 'failed client-limits.retry-after'],
  ['typescript', 'waits one second after any error', 'limited', 'failed client-limits.retry-after'],
  [
    'typescript',
    'uses another key',
    'second-key',
    'failed client-limits.retry-after',
    'warned client-limits.no-other-key',
  ],
  // Retries
  [
    'typescript',
    'tries everything again',
    'refused-content.create_request',
    'failed client-retries.only-what-may-help',
  ],
  ['perl', 'tries again after 401', 'closed', 'failed client-retries.only-what-may-help'],
  ['perl', 'tries again after invalid_arguments', 'invalid-library.get', 'failed client-retries.only-what-may-help'],
  ['perl', 'tries again after board_not_found', 'refused', 'failed client-retries.only-what-may-help'],
  [
    'perl',
    'tries again after temporarily_frozen',
    'refused-library.search',
    'failed client-retries.only-what-may-help',
  ],
  ['python', 'repeats after 5xx', 'gateway-content.create_request', 'warned client-retries.no-blind-repeat'],
  [
    'typescript',
    'creates again after a lost response',
    'lost-content.create_request',
    'warned client-retries.no-blind-repeat',
  ],
  [
    'typescript',
    'spends again after a lost response',
    'lost-images.generate',
    'failed client-confirmations.approved',
    'warned client-retries.no-blind-repeat',
  ],
  [
    'python',
    'spends again without asking again',
    'denied-after-loss',
    'failed client-confirmations.approved',
    'warned client-retries.no-blind-repeat',
    approving,
  ],
  ['python', 'times out and creates again', 'stalled-content.create_request', 'warned client-retries.no-blind-repeat'],
];

/** A conforming client with an unusual habit, optionally with a simulated person. */
export type Good = readonly [language: Language, habit: string, person?: PersonAnswers];

/** Clients that pass every scenario. */
export const good: readonly Good[] = [
  ['python', ''],
  ['python', '', { proposals: 'approve' }],
  ['python', '', { proposals: 'deny' }],
  ['python', 'polls'],
  ['python', 'threads'],
  ['python', 'reads the balance again and again'],
  ['python', 'plans the same three times'],
  ['python', 'ends its worker by a signal'],
  ['python', 'repeats a lost confirmation'],
  ['python', 'repeats a lost confirmation', { proposals: 'approve' }],
  ['bash', ''],
  ['bash', 'lets curl try again'],
  ['bash', 'confirms in another process'],
  ['typescript', ''],
  ['typescript', 'all at once'],
  ['typescript', 'looks before it creates again'],
  ['perl', ''],
  ['perl', 'one connection'],
  ['perl', 'two at once'],
  ['perl', 'body in chunks'],
  ['perl', 'more than patient'],
];
