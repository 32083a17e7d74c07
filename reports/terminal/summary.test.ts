import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { RunResult } from '../../suites/result.ts';
import {
  aFailure,
  aFinding,
  anExchange,
  aRequirement,
  aRun,
  manyRequirements,
  notTested,
} from '../../test/reports/results.ts';
import { reportHtml } from '../html/page.ts';
import { reportOf } from '../report.ts';
import { renderSummary } from './summary.ts';

/** Different actual values and hints, so each finding is a separate cause. */
function distinct(index: number) {
  const letter = String.fromCharCode(97 + (index % 26)).repeat(1 + Math.floor(index / 26));
  return { actual: `status ${letter}`, hint: `Mend ${letter}.` };
}

function shown(run: RunResult, over: { color?: boolean } = {}): string {
  return renderSummary(reportOf(run), { color: false, reportDir: 'tck-report', written: true, ...over });
}

test('a green run is short: the verdict, the counts, where the report is', () => {
  const text = shown(aRun(manyRequirements(170)));
  expect(text).toMatch(/^Conformant, 170 of 170 tested\nhttp:\/\/127\.0\.0\.1:4010\n/);
  expect(text).toMatch(/Verdict: conformant\nGate: passed\n$/);
  expect(text).toContain('Requirements: 170 passed');
  expect(text).toContain('Report: tck-report/report.html');
  expect(text.split('\n').length).toBeLessThan(11);
});

test('a run that could not judge everything says so, and is not called complete', () => {
  const reason = 'no answer within 10 s (credits.balance, sole)';
  const text = shown(aRun([aRequirement('headers.beta'), aRequirement('race.one', { status: 'errored', reason })]));
  expect(text).toMatch(/^Inconclusive, 1 of 2 tested, 1 errored\n/);
  expect(text).toContain('Gate: inconclusive (exit code 3)');
  expect(text).not.toContain('0 requirements');
  expect(text).toMatch(/42 requests, 2 observations in/);
});

test('a cause names what the server does, its requirement, the exchange, what to change and the script', () => {
  const text = shown(aRun([aFailure('bodies.absent')]));
  expect(text).toContain('✗ 1. `schedule.read` returns: status 403 without a credential');
  expect(text).toContain('rule      bodies.absent: The rule that');
  expect(text).toContain('expected  status 401 without a credential\n');
  expect(text).toContain('actual    status 403 without a credential\n');
  expect(text).toMatch(/hint {6}Answer a missing credential/);
  expect(text).toContain('#1 POST /api/v1/tools/schedule.read as primary');
  expect(text).toContain('{"workspace":"north"}');
  expect(text).toContain('200, content-type: application/json, x-service-api: beta');
  expect(text).toContain('again     bash tck-report/repro/1.sh\n');
  const exchanges = [anExchange(1, { response: null, problem: 'no answer within 10 s' })];
  expect(shown(aRun([aFailure('headers.beta')], { exchanges }))).toContain('none: no answer within 10 s');
});

test('a cause shows each step with its result, and how two compared responses differ', () => {
  const answer = (message: string) => ({
    tool: 'schedule.read',
    response: { status: 401, headers: [], body: JSON.stringify({ error: { code: 'refused', message } }) },
  });
  const exchanges = [
    anExchange(1, { ...answer('No key.'), step: 'bad keys: send no credential' }),
    anExchange(2, { ...answer('Unknown key.'), step: 'bad keys: send an unknown key' }),
  ];
  const failure = aFailure('authentication.unknown-like-absent', {
    expected: 'the body of schedule.read with no credential: {}',
    actual: 'schedule.read with unknown key: {}',
    exchanges: [1, 2],
    story: [1, 2],
  });
  const text = shown(aRun([failure], { exchanges }));
  expect(text).toContain('steps     1. send no credential (schedule.read as primary): HTTP 401, error code "refused"');
  expect(text).toContain('              2. send an unknown key: HTTP 401, error code "refused"');
  expect(text).toMatch(/differs .*\n {14}- +"message": "No key\."\n {14}\+ +"message": "Unknown key\."\n/);
});

test('an unverified finding says so, and why', () => {
  const failure = aFailure('credits.balance', { unverified: true, note: 'not repeated: a ceiling is reached' });
  const text = shown(aRun([failure]));
  expect(text).toMatch(/ \(contract, unverified\)\n/);
  expect(text).toMatch(/note {6}not repeated: a ceiling is reached\n {14}Unverified: something else/);
});

test('thirty findings that are one take the room of one', () => {
  const findings = Array.from({ length: 30 }, (_, index) => aFinding({ exchanges: [index + 1] }));
  const exchanges = findings.map((_, index) => anExchange(index + 1));
  const text = shown(aRun([aRequirement('headers.beta', { findings })], { exchanges }));
  expect(text).toContain('1 cause\n');
  expect(text).toContain(' (contract, 30 times)\n');
  expect(text.match(/hint/g)).toHaveLength(1);
});

test('of many causes the first are shown in full, the rest named, the very many counted', () => {
  const text = shown(aRun(Array.from({ length: 50 }, (_, index) => aFailure(`bodies.b${index}`, distinct(index)))));
  expect(text.match(/ {4}hint/g)).toHaveLength(3);
  expect(text.match(/✗/g)).toHaveLength(30);
  expect(text).toContain('and 20 more causes in tck-report/report.html');
});

test('a cause in brief has its title and what to change; the end names what to fix first', () => {
  const many = Array.from({ length: 6 }, (_, index) => aFailure(`bodies.b${index}`, distinct(index)));
  const actual = 'HTTP 200 with ok true, status "dispatched"';
  const got = { status: 200, ok: true, result: 'dispatched' };
  const expected = { at: 'response', want: undefined, expected: 'a refusal' } as const;
  const spent = { ...expected, got, actual, hint: 'Consume the id atomically.', exchanges: [2] };
  const worst = aFailure('race.one', spent, { severity: 'spends-money' });
  const response = { status: 200, headers: [], body: '{"ok":true,"status":"dispatched"}' };
  const dispatched = anExchange(2, { tool: 'images.generate', response });
  const blocked = { ...notTested('race.two', 'precondition not met', []), precondition: 'race.one' };
  const text = shown(aRun([...many, worst, blocked], { exchanges: [anExchange(1), dispatched] }));
  const brief = text.slice(text.indexOf('✗ 7.'), text.indexOf('Not tested'));
  expect(brief).toBe(
    '✗ 7. `schedule.read` returns: status f; expected status 401 without a credential (contract)\n' +
      '    bodies.b5: Mend f.\n\n',
  );
  expect(text).toContain(
    '✗ 1. `images.generate` returns status `dispatched`; expected a refusal (spends money, blocks 1 requirement)\n',
  );
  expect(text).toMatch(/\nFix first: `images\.generate` .* \(spends money\)\. Consume the id atomically\.\n$/);
});

test('nothing of a long list is left out without a word', () => {
  const reasons = Array.from({ length: 7 }, (_, index) => `known failure k${index} passes: remove its entry`);
  const alike = [...'abcdefghi'].map((letter, index) => {
    const finding = { at: 'header x-a', got: { code: index }, actual: `answer ${letter}` };
    return aFailure(index < 8 ? `bodies.b${index}` : 'race.one', finding);
  });
  const text = shown(aRun(alike, { gate: { passed: false, reasons } }));
  expect(text).toContain('  - known failure k4 passes: remove its entry\n  - and 2 more reasons in report.html\n');
  expect(text).toMatch(/explains +bodies \(7\), race\.one\n/);
  expect(text).toContain('7 more in report.html');
});

test('what was not tested comes with what to add', () => {
  const spending = notTested('race.one', '', [{ kind: 'effect', effect: 'spending' }]);
  const text = shown(aRun([spending, notTested('authentication.revoked', '', [{ kind: 'role', role: 'revoked' }])]));
  expect(text).toContain('Not tested (2 requirements)\n  To test more, add these in order:\n');
  expect(text).toContain(
    "   1  a key for the role 'revoked' (TCK_KEY_REVOKED, or keys.revoked in the configuration)\n",
  );
  expect(text).toContain('   1  --allow proposals,spending\n');
});

test('what was left behind, what could not be judged, and known failures are said', () => {
  const knownFailure = { reason: 'r', issue: 'https://example.test/7', owner: 'team-a', expires: '2026-04-01' };
  const leftBehind = {
    contentRequests: [{ pieceId: 'pc-1', workspace: 'north', title: null }],
    runs: [{ runId: 'run-1', workspace: 'south', images: 2 }],
    proposals: 3,
  };
  const errored = aRequirement('credits.x', { status: 'errored', reason: 'socket closed' });
  const known = aRequirement('bodies.known', { status: 'known-failure', knownFailure });
  const text = shown(aRun([errored, known], { leftBehind }));
  expect(text).toContain('? socket closed\n    credits.x');
  expect(text).toContain('~ bodies.known: until 2026-04-01, team-a, https://example.test/7');
  expect(text).toContain(
    'Left on the deployment: 1 content request, 2 images, 3 unconfirmed proposals\n' +
      '  content request `pc-1` in `north`\n  2 images of run `run-1` in `south`\n',
  );
  expect(text).toContain('  3 proposals, not confirmed; they expire\n');
});

test('errors by one outcome of their requests are told once, with the requests that show it', () => {
  const response = { status: 429, headers: [], body: '' };
  const errored = ['schedule.read', 'library.get', 'credits.balance'].map((tool, index) => {
    const reason = `${tool}: a 429 asks to wait ${50 + index} s`;
    return aRequirement(`bodies.b${index}`, { status: 'errored', reason, exchanges: [index + 1] });
  });
  const run = aRun(errored, { exchanges: [1, 2, 3].map((id) => anExchange(id, { response })) });
  const requirements = ['bodies.b0', 'bodies.b1', 'bodies.b2'];
  const reason = expect.stringContaining('schedule.read');
  expect(reportOf(run).errored).toEqual([{ reason, requirements, exchanges: [1, 2, 3] }]);
  expect(shown(run).match(/asks to wait/g)).toHaveLength(1);
  expect(shown(run)).toContain(requirements.join(', '));
  expect(shown(run)).toContain('asks to wait 50 s, see request #1 in report.html');
  expect(reportHtml(reportOf(run))).toContain('; see request <a href="#request-1">#1</a>, <a href="#request-2">#2</a>');
});

test('color changes nothing but color: differences are underlined', () => {
  const run = aRun([aFailure('authentication.absent'), notTested('race.one', '', [{ kind: 'clock' }])]);
  const plain = shown(run);
  const colored = shown(run, { color: true });
  expect(plain).not.toContain('\u001b');
  expect(colored).toContain('\u001b[4m403');
  expect(stripVTControlCharacters(colored)).toBe(plain);
});
