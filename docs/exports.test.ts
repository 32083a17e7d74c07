import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as stub from '../stub/index.ts';
import { createStub } from '../stub/index.ts';
import * as vitest from '../stub/vitest.ts';
import * as kit from '../suites/index.ts';
import { UsageError } from '../suites/usage/usage-error.ts';

/** What programs rely on: a name more or less here is a change of the interface, and of the changelog. */
const values = {
  kit: ['UsageError', 'audit', 'defineTarget', 'requirements'],
  stub: ['connect', 'createStub'],
  vitest: ['test'],
};
const types = {
  '../suites/index.ts': [
    'AuditOptions',
    'Effect',
    'KeyOptions',
    'ReportedFinding',
    'Requirement',
    'Role',
    'RunEvent',
    'RunResult',
    'Status',
    'Target',
    'TargetOptions',
    'Verdict',
  ],
  '../stub/index.ts': [
    'ClientFinding',
    'ControlClient',
    'ControlledWorld',
    'CreateStubOptions',
    'ExchangeEvent',
    'Fault',
    'Fetch',
    'InProcess',
    'Journal',
    'JournalEvent',
    'Judgement',
    'MintOptions',
    'OwnWorld',
    'Stub',
    'Switches',
    'World',
    'WorldView',
  ],
  '../stub/vitest.ts': [],
};

test('the package exports what it lists, and nothing else', async () => {
  const names = { kit: Object.keys(kit), stub: Object.keys(stub), vitest: Object.keys(vitest) };
  expect(Object.fromEntries(Object.entries(names).map(([name, all]) => [name, all.sort()]))).toEqual(values);
  for (const [file, expected] of Object.entries(types)) {
    const source = await readFile(new URL(file, import.meta.url), 'utf8');
    const listed = [...source.matchAll(/^export (type )?\{([^}]*)\}/gms)].flatMap(([, all, inside = '']) =>
      inside.split(',').flatMap((part) => {
        const [, marked, name] = /^\s*(type )?(\w+)/.exec(part) ?? [];
        return name !== undefined && (all ?? marked) !== undefined ? [name] : [];
      }),
    );
    const declared = [...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);
    expect([...listed, ...declared].sort(), file).toEqual(expected);
  }
});

test('a target needs a base URL and keys, and has the defaults of the configuration', async () => {
  const { baseUrl, keys, workspaces, dispatcher, advance } = createStub();
  const target = kit.defineTarget({
    baseUrl,
    keys: { primary: keys.primary, revoked: keys.revoked },
    workspaces: workspaces.slice(0, 1),
    clock: { advance: async (seconds) => advance(seconds) },
    dispatcher,
  });
  expect(target).toMatchObject({
    allow: [],
    maxImages: 12,
    pace: { concurrency: 16, timeoutSeconds: 10 },
    headers: [],
  });
  const { verdict, seed, summary } = await kit.audit(target, { only: ['schedule.*'], observe: false });
  expect({ verdict, seed }).toEqual({ verdict: 'conformant', seed: 1 });
  expect(summary.passed).toBeGreaterThan(1);
});

const key = 'a-key-of-nobody';

test.each([
  [{ baseUrl: 'nowhere', keys: {} }, 'baseUrl: '],
  [{ baseUrl: 'http://api.example.test', keys: { primary: key } }, 'baseUrl: '],
  [{ baseUrl: 'https://api.example.test', keys: { first: key } }, 'keys.first: expected one of the roles primary'],
  [{ baseUrl: 'https://api.example.test', keys: { primary: 7 } }, 'keys.primary: expected a key'],
  [{ baseUrl: 'https://api.example.test', keys: {}, allow: ['all'] }, 'allow: expected some of proposals'],
  [{ baseUrl: 'https://api.example.test', keys: { primary: 'short' } }, 'primary'],
])('the target %j is refused with the member at fault', (options, why) => {
  // The types refuse most of them, too.
  const define = () => kit.defineTarget(options as kit.TargetOptions);
  expect(define).toThrow(UsageError);
  expect(define).toThrow(why);
});
