import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { aFailure, aRequirement, aRun, notTested } from '../test/reports/results.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { applyKnownFailures, type KnownFailure, loadKnownFailures, updateKnownFailures } from './known-failures.ts';

const entry = `- requirement: envelopes.boundary-error
  reason: the gateway adds a key of its own
  issue: https://example.test/issues/7
  owner: team gateway
  expires: 2026-04-01
`;
const read: KnownFailure = {
  requirement: 'envelopes.boundary-error',
  reason: 'the gateway adds a key of its own',
  issue: 'https://example.test/issues/7',
  owner: 'team gateway',
  expires: '2026-04-01',
  place: 'known.yaml, line 1',
};

/** Six lines of YAML that expand to a million texts. */
function aliasBomb(): string {
  const ten = (name: string) => Array.from({ length: 10 }, () => name).join(',');
  const lines = ['b', 'c', 'd', 'e', 'f'].map((name, index) => `- &${name} [${ten(`*${'abcde'[index]}`)}]`);
  return [`- &a [${ten('x')}]`, ...lines].join('\n');
}

const folder = temporaryFolder();

describe('reading a list', () => {
  async function loaded(text: string, name = 'known.yaml'): Promise<KnownFailure[]> {
    const path = join(folder, name);
    await writeFile(path, text);
    return loadKnownFailures(path);
  }

  test('YAML and JSON say the same', async () => {
    expect(await loaded(entry)).toEqual([read]);
    const { place: _, ...fields } = read;
    const found = await loaded(JSON.stringify([fields], null, 2), 'known.json');
    expect(found).toEqual([{ ...fields, place: 'known.json, line 2' }]);
    for (const nothing of ['[]', '', '# fixed\n']) expect(await loaded(nothing)).toEqual([]);
    expect(await loaded(`\ufeff${entry}`.replaceAll('\n', '\r\n'))).toEqual([read]);
  });

  const without = entry.replace(/ {2}reason.*\n/, '');
  const replaced = (part: string, other: string) => entry.replace(part, other);
  test.each([
    ['no reason', without, /line 1: entry 1 \(envelopes.boundary-error\): 'reason' is missing; expected the reason/],
    ['an empty owner', replaced('team gateway', '""'), /line 4: entry 1 .*'owner' is wrong; .*the person or team/],
    ['no address', replaced('https://example.test/issues/7', 'see chat'), /line 3: .*'issue' is wrong; .*http/],
    ['no date', replaced('2026-04-01', 'soon'), /line 5: .*'expires' is wrong; .*YYYY-MM-DD/],
    ['no such day', replaced('2026-04-01', '2026-02-30'), /line 5: .*'expires' is wrong; .*YYYY-MM-DD/],
    ['another field', `${entry}  mood: good\n`, /entry 1 .*: 'mood' is not known; the fields are requirement, reason/],
    ['an unknown one', replaced('boundary-error', 'x'), /line 1: there is no requirement 'envelopes.x'; tck list/],
    ['one twice', entry + entry, /line 6: 'envelopes.boundary-error' is listed twice, first at known.yaml, line 1/],
    ['a field twice', `${entry}  owner: another\n`, /known.yaml, line 6: 'owner' occurs twice/],
    ['a member twice, in JSON', '[{ "owner": "a",\n "owner": "b" }]', /known.yaml, line 2: 'owner' occurs twice/],
    ['not a list', 'requirement: x', /known.yaml must be a list of entries/],
    ['a list of texts', '- x', /entry 1 must be an object with requirement, reason, issue, owner, expires/],
    ['not YAML', '- a: [', /known.yaml, line 1: /],
    ['an escape', '- "\\e[31m": 1', /'␛\[31m' is not known|is missing/],
  ])('%s is refused, with line and expectation', async (_, text, message) => {
    const error = await loaded(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('\u001b');
  });

  test.each([
    ['aliases that grow without end', aliasBomb(), /^known\.yaml cannot be read as YAML: Excessive alias count/],
    ['a list that is too deep', '['.repeat(5000), /^known\.yaml/],
  ])('of %s the message says that it is the file', async (_, text, message) => {
    await expect(loaded(text)).rejects.toThrow(UsageError);
    await expect(loaded(text)).rejects.toThrow(message);
    await expect(updateKnownFailures(aRun([]), join(folder, 'known.yaml'))).rejects.toThrow(UsageError);
  });

  test('a file that is not there is named', async () => {
    const why = /Cannot read the known failures: .*none\.yaml/;
    await expect(loadKnownFailures(join(folder, 'none.yaml'))).rejects.toThrow(why);
  });
});

describe('what a list does to a run', () => {
  const failing = aFailure('envelopes.boundary-error');
  /** A run on that day, with the list applied. */
  const applied = (run: RunResult, day: string) =>
    applyKnownFailures({ ...run, startedAt: `${day}T23:00:00Z` }, [read]);

  test('a listed failure is excused, up to and including its last day: the gate passes, the verdict stays', () => {
    const run = applied(aRun([failing, aRequirement('headers.beta')]), '2026-04-01');
    expect(run).toMatchObject({
      verdict: 'non-conformant',
      gate: { passed: true, reasons: [] },
      summary: { failed: 0, knownFailures: 1, passed: 1 },
    });
    expect(run.requirements[0]).toMatchObject({
      status: 'known-failure',
      knownFailure: { owner: 'team gateway', expires: '2026-04-01' },
      findings: failing.findings,
    });
  });

  test('after its day it fails again, and the gate says which line', () => {
    const run = applied(aRun([failing]), '2026-04-02');
    expect(run).toMatchObject({ verdict: 'non-conformant', summary: { failed: 1, knownFailures: 0 } });
    expect(run.gate).toEqual({
      passed: false,
      reasons: [
        '1 requirement failed: envelopes.boundary-error',
        "known.yaml, line 1: the entry for 'envelopes.boundary-error' expired on 2026-04-01",
      ],
    });
  });

  test('a listed requirement that passes is stale: the gate fails and names the line, the deployment conforms', () => {
    const run = applied(aRun([aRequirement('envelopes.boundary-error')]), '2026-03-01');
    expect(run.verdict).toBe('conformant');
    const reasons = ["known.yaml, line 1: remove 'envelopes.boundary-error': it passes now"];
    expect(run.gate).toEqual({ passed: false, reasons });
  });

  test('one that was not tested says nothing, also where nothing was', () => {
    const idle = notTested('envelopes.boundary-error', 'left out', [{ kind: 'selection' }]);
    const run = applied(aRun([idle, aRequirement('headers.beta')]), '2026-03-01');
    expect(run).toMatchObject({ verdict: 'conformant', gate: { passed: true } });
    const nothing = aRun([idle], { trouble: ['the target was unreachable'] });
    expect(applyKnownFailures(nothing, [{ ...read, expires: '2020-01-01' }])).toBe(nothing);
  });

  test('other failures stay, and so does what was required', () => {
    const idle = { ...notTested('race.one', '', []), required: true as const };
    const run = applied(aRun([failing, aFailure('headers.beta'), idle]), '2026-03-01');
    expect(run.verdict).toBe('non-conformant');
    const untested = '1 required requirement not tested: race.one';
    expect(run.gate.reasons).toEqual(['1 requirement failed: headers.beta', untested]);
  });
});

describe('proposing entries', () => {
  const run = aRun([aFailure('headers.beta', { actual: 'a\u001b[31m\nb' }), aFailure('envelopes.boundary-error')]);

  /** The added IDs, and the text of the list afterwards. */
  async function updated(run: RunResult, existing: string, name = 'ours.yaml') {
    const path = join(folder, name);
    await writeFile(path, existing);
    const added = await updateKnownFailures(run, path);
    return { added, text: await readFile(path, 'utf8') };
  }

  test('entries are added with nothing invented, and what was there stays', async () => {
    const { text, added } = await updated(run, `# ours\n${entry}`);
    expect(added).toEqual(['headers.beta']);
    expect(text).toContain(`# ours\n${entry.trimEnd()}`);
    expect(text).toContain('- requirement: headers.beta\n  reason: ""\n  issue: ""\n  owner: ""\n  expires: ""');
    expect(text).toContain('# got a␛[31m␊b');
  });

  test('JSON stays JSON', async () => {
    const { text } = await updated(run, '', 'ours.json');
    const ids = JSON.parse(text).map(({ requirement }: { requirement: string }) => requirement);
    expect(ids).toEqual(['envelopes.boundary-error', 'headers.beta']);
  });

  test('nothing failed, nothing changes; a file that is no list is refused', async () => {
    expect(await updated(aRun([]), entry)).toEqual({ text: entry, added: [] });
    await expect(updated(run, 'a: b')).rejects.toThrow(UsageError);
  });
});
