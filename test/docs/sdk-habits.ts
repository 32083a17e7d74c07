import { writeFileSync } from 'node:fs';
import type { ClientRuleId } from '../../fixtures/client-rules.ts';

export const sdkHabitsFile = new URL('../../docs/project/sdk-habits.md', import.meta.url);

const filesOf = (packageName: string, version: string, folder: string) => (path: string) =>
  `[\`${path.split('/').at(-1)}\`](https://unpkg.com/${packageName}@${version}/${folder}${path})`;

const smithy = filesOf('@smithy/core', '3.41.1', 'dist-es/submodules/retry/');
const stripe = filesOf('stripe', '23.1.0', '');
const retry = filesOf('@octokit/plugin-retry', '8.1.1', 'dist-src/');
const throttling = filesOf('@octokit/plugin-throttling', '11.0.5', 'dist-bundle/');
const got = filesOf('got', '16.1.0', 'dist/source/core/');
const onPyPi = (name: string, version: string, path: string) =>
  `[\`${path}\`](https://pypi.org/project/${name}/${version}/#files)`;

interface Library {
  readonly name: string;
  /** What the library repeats by default, and whether that includes POST. */
  readonly repeats: string;
  readonly retryAfter: string;
  readonly delays: string;
  readonly attempts: string;
  readonly sources: readonly string[];
}

/** Libraries whose published code was read, with their behavior by default. */
const libraries: readonly Library[] = [
  {
    name: 'AWS SDK for JavaScript v3: `@smithy/core` 3.41.1',
    repeats:
      'Any method, POST included, after 429, 500, 502, 503, 504, a timeout or a closed connection. No idempotency key',
    retryAfter: 'Reads seconds, fractions and dates. Waits at most 5 s longer than its own delay',
    delays: 'Random, from 0 to 50 ms, or to 1 s after 429; doubles up to 20 s',
    attempts: '3. Each retry takes 14 tokens, or 5 after a 429, from a budget of 500 tokens',
    sources: [
      smithy('util-retry/StandardRetryStrategy.js'),
      smithy('middleware-retry/parseRetryAfterHeader.js'),
      smithy('service-error-classification/constants.js'),
    ],
  },
  {
    name: 'stripe-node 23.1.0',
    repeats:
      'Any method, POST included, after 409, 500 or higher, or no response. After a closed connection also if ' +
      'retries are off. Sends an `Idempotency-Key` with each POST',
    retryAfter: 'Ignored. Repeats after a 429 only if the header `stripe-should-retry` is `true`',
    delays: '0.5 s, doubles up to 5 s; random between half of this delay and the whole delay, at least 0.5 s',
    attempts: '2',
    sources: [stripe('esm/RequestSender.js'), stripe('README.md')],
  },
  {
    name: '`@octokit/plugin-retry` 8.1.1',
    repeats:
      'Any method, POST included, after any error status except 400, 401, 403, 404, 410, 422 and 451. No idempotency ' +
      'key',
    retryAfter: 'Ignored',
    delays: '1 s, 4 s, 9 s; not random',
    attempts: '4',
    sources: [retry('error-request.js'), retry('index.js')],
  },
  {
    name: '`@octokit/plugin-throttling` 11.0.5',
    repeats: 'Any method after 403 and 429 of GitHub, if a handler of the application agrees',
    retryAfter: 'Reads seconds, and waits for the whole time; waits 60 s if the header is missing',
    delays: 'One write at a time, 1 s apart',
    attempts: 'As many as the handler allows',
    sources: [throttling('index.js')],
  },
  {
    name: 'got 16.1.0',
    repeats:
      'GET, PUT, HEAD, DELETE, OPTIONS, TRACE, QUERY after 408, 413, 429, 500, 502, 503, 504, 521, 522, 524 and ' +
      'network errors. Not POST',
    retryAfter: 'Reads whole seconds and dates, ignores fractions. Gives up if the time is longer than the timeout',
    delays: '1 s, doubles; up to 0.1 s at random',
    attempts: '3',
    sources: [got('options.js'), got('calculate-retry-delay.js'), got('index.js')],
  },
  {
    name: 'urllib3 2.8.0 (`Retry`)',
    repeats:
      'GET, HEAD, PUT, DELETE, OPTIONS, TRACE after lost responses, and after 413, 429 and 503 with `Retry-After`. ' +
      'Not POST',
    retryAfter: 'Reads whole seconds and dates; a fraction is an error. Waits at most 6 hours',
    delays: 'None; not random',
    attempts: '11',
    sources: [onPyPi('urllib3', '2.8.0', 'urllib3/util/retry.py')],
  },
  {
    name: 'requests 2.34.2',
    repeats: 'Nothing',
    retryAfter: 'Ignored',
    delays: '–',
    attempts: '1',
    sources: [onPyPi('requests', '2.34.2', 'requests/adapters.py')],
  },
];

export interface SdkHabit {
  readonly habit: string;
  readonly libraries: string;
  readonly rule: ClientRuleId;
  readonly scenario: string;
  /** Client of the judge's tests with this habit. */
  readonly mistake: string;
}

/** Habits that are mistakes with this API, and the clients of the tests that show how the judge finds them. */
export const sdkHabits: readonly SdkHabit[] = [
  {
    habit: 'Repeats a POST that creates after a lost response',
    libraries: 'AWS SDK, stripe-node; got and urllib3 if POST is added to their methods',
    rule: 'client-retries.no-blind-repeat',
    scenario: 'lost-content.create_request',
    mistake: 'repeats a content request after a lost response',
  },
  {
    habit: 'Repeats a POST that creates after a 5xx',
    libraries: 'AWS SDK, stripe-node, plugin-retry; got if POST is added to its methods',
    rule: 'client-retries.no-blind-repeat',
    scenario: 'gateway-content.create_request',
    mistake: 'repeats every request after a 5xx',
  },
  {
    habit: 'Repeats a POST that creates after its own timeout',
    libraries: 'AWS SDK, stripe-node; got and urllib3 if POST is added to their methods',
    rule: 'client-retries.no-blind-repeat',
    scenario: 'stalled-content.create_request',
    mistake: 'repeats a content request after its own timeout',
  },
  {
    habit: 'Repeats after a 429 with its own delays instead of `Retry-After`',
    libraries: 'plugin-retry',
    rule: 'client-limits.retry-after',
    scenario: 'limited',
    mistake: 'waits one second after every 429',
  },
  {
    habit: 'Repeats after a fraction of a second',
    libraries: 'urllib3 with `respect_retry_after_header=False`',
    rule: 'client-limits.retry-after',
    scenario: 'limited',
    mistake: 'retries after 0.1 seconds',
  },
  {
    habit: 'Waits for at most a few seconds, even if `Retry-After` is longer',
    libraries: 'AWS SDK',
    rule: 'client-limits.retry-after',
    scenario: 'limited-longer',
    mistake: 'waits at most five seconds',
  },
  {
    habit: 'Waits for only a part of `Retry-After`',
    libraries: 'None of these',
    rule: 'client-limits.retry-after',
    scenario: 'limited',
    mistake: 'waits less than half of Retry-After',
  },
  {
    habit: 'Reads `Retry-After` as milliseconds',
    libraries: 'None of these',
    rule: 'client-limits.retry-after',
    scenario: 'limited',
    mistake: 'reads Retry-After as milliseconds',
  },
];

/** Page of the retry habits of common libraries. */
export function sdkHabitsPage(): string {
  return [
    '# Retries of common libraries',
    '',
    'This page lists the requests that common SDKs and HTTP clients repeat by default, and the rules of `tck judge`',
    'that find these repetitions. The table is based on the published code of 2026-11-26.',
    '`npm run generate:clients` writes this page.',
    '',
    'Every request of this API is a POST. The API has no idempotency key, so a repeated `content.create_request` can',
    'create a second piece. A confirmation ID works once, so repeating a confirmation is safe.',
    '',
    '| Library | Repeats by default | `Retry-After` | Delays without `Retry-After` | Attempts | Source |',
    '| --- | --- | --- | --- | --- | --- |',
    ...libraries.map(
      ({ name, repeats, retryAfter, delays, attempts, sources }) =>
        `| ${name} | ${repeats} | ${retryAfter} | ${delays} | ${attempts} | ${sources.join(', ')} |`,
    ),
    '',
    '## Habits that are mistakes here',
    '',
    'Each row has a client in the tests of the judge. [What the judge finds](judged-clients.md) lists all clients.',
    '',
    '| Habit | Libraries | Rule | Scenario | Client in the tests |',
    '| --- | --- | --- | --- | --- |',
    ...sdkHabits.map(
      ({ habit, libraries: who, rule, scenario, mistake }) =>
        `| ${habit} | ${who} | \`${rule}\` | \`${scenario}\` | ${mistake} |`,
    ),
    '',
    '## Habits without a finding',
    '',
    '- got and urllib3 do not repeat a POST, and requests repeats nothing. Your client then fails after the first 429.',
    '- got gives up if `Retry-After` is longer than its timeout.',
    '- Libraries differ in whether they read dates and fractions. The API sends whole seconds, so the stub does too.',
    '- urllib3 waits at most 6 hours. No scenario lasts that long.',
    '- None of these libraries repeats a response with status 200, so none repeats a refusal.',
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(sdkHabitsFile, sdkHabitsPage());
