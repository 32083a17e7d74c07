import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as stub from '../stub/index.ts';
import { createStub } from '../stub/index.ts';
import * as vitest from '../stub/vitest.ts';
import * as kit from '../suites/index.ts';
import * as nodeTest from '../suites/test-runners/node-test.ts';
import { UsageError } from '../suites/usage/usage-error.ts';

/** Public exports. A change here is a change of the API and needs a changelog entry. */
const values = {
  kit: 'UsageError audit defineTarget requirements',
  stub: 'createStub whyNot',
  vitest: 'conformance test',
  nodeTest: 'conformance',
};
const types = {
  '../suites/index.ts':
    'AuditOptions Effect KeyOptions ReportedFinding Requirement Role RunEvent RunResult Status Target TargetOptions ' +
    'Verdict',
  '../stub/index.ts':
    'ClientFinding CreateStubOptions ExchangeEvent Fault Fetch InProcess Journal JournalEvent Judgement MintOptions ' +
    'OwnWorld Profile ProfileName Stub Switches World WorldView',
  '../stub/vitest.ts': 'TargetSource',
  '../suites/test-runners/node-test.ts': 'TargetSource',
};

test('the package exports what it lists, and nothing else', async () => {
  const modules = { kit, stub, vitest, nodeTest };
  const names = Object.entries(modules).map(([name, exported]) => [name, Object.keys(exported).sort().join(' ')]);
  expect(Object.fromEntries(names)).toEqual(values);
  for (const [file, expected] of Object.entries(types)) {
    const source = await readFile(new URL(file, import.meta.url), 'utf8');
    const listed = [...source.matchAll(/^export (type )?\{([^}]*)\}/gms)].flatMap(([, all, inside = '']) =>
      inside.split(',').flatMap((part) => {
        const [, marked, name] = /^\s*(type )?(\w+)/.exec(part) ?? [];
        return name !== undefined && (all ?? marked) !== undefined ? [name] : [];
      }),
    );
    const declared = [...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);
    expect([...listed, ...declared].sort().join(' '), file).toBe(expected);
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
  const pace = { concurrency: 16, timeoutSeconds: 10 };
  expect(target).toMatchObject({ allow: [], maxImages: 16, pace, headers: [] });
  const { verdict, seed, summary } = await kit.audit(target, { only: ['schedule.*'], observe: false });
  expect({ verdict, seed }).toEqual({ verdict: 'conformant', seed: 1 });
  expect(summary.passed).toBeGreaterThan(1);
});

const key = 'a-key-of-nobody';

const baseUrl = 'https://api.example.test';

test.each([
  [{ baseUrl: 'nowhere', keys: {} }, 'baseUrl: '],
  [{ baseUrl: 'http://api.example.test', keys: { primary: key } }, 'baseUrl: '],
  [{ baseUrl, keys: { constructor: key } }, 'keys.constructor: expected one of the roles primary'],
  [{ baseUrl, keys: { primary: 7 } }, 'keys.primary: expected a key'],
  [{ baseUrl, keys: {}, allow: ['all'] }, 'allow: expected some of proposals'],
  [{ baseUrl, keys: { primary: 'short' } }, 'primary'],
  [{ baseUrl, keys: {}, trace: { url: 'https://traces' } }, 'trace.url: expected an http'],
])('the target %j is refused with the member at fault', (options, why) => {
  // The types also reject most of these options.
  const define = () => kit.defineTarget(options as kit.TargetOptions);
  expect(define).toThrow(UsageError);
  expect(define).toThrow(why);
});

test('a page in the package links only to what is in the package', async () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd });
  // Newer versions of npm return an object by package name.
  const [packed] = Object.values<{ files: { path: string }[] }>(JSON.parse(stdout));
  const files = packed?.files.map(({ path }) => path) ?? [];
  const pages = files.filter((path) => path.endsWith('.md'));
  expect(pages).toContain('docs/clients.md');
  for (const page of pages) {
    const text = await readFile(join(cwd, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^https?:/.test(link)).map((link) => join(dirname(page), link));
    const isMissing = (path: string) => !files.some((file) => file === path || file.startsWith(`${path}/`));
    expect(local.map((path) => path.replace(/\/$/, '')).filter(isMissing), page).toEqual([]);
  }
});
