import { expect, test } from 'vitest';
import { configFolder } from '../../test/config-folder.ts';
import { UsageError } from '../usage/usage-error.ts';
import { loadKnownTarget, loadTarget, type TargetRequest } from './load.ts';

const env = {
  K1: 'key-number-one',
  K2: 'key-number-two',
  GATEWAY: 'gateway-token',
  EMPTY: '',
  LISTED: 'Slug-Of-Some-Workspace',
  WORD: 'confirmation_required',
  SHORT: 'elevenchars',
  SPACED: 'key two-parts',
  UMLAUT: 'schlüssel',
};
const url = 'https://api.example.test';

/** Loads a configuration from a temporary file. */
async function load(config: unknown, asked: TargetRequest = {}) {
  await using folder = await configFolder({
    'tck.config.json': config,
    'key.txt': 'key-of-file-one\n',
    'header.txt': '\ufeffheader-of-file\r\n',
  });
  return await loadTarget({ ...asked, config: 'tck.config.json' }, { env, cwd: folder.path, consent: () => true });
}

test('a configuration with everything in it', async () => {
  const { target, notices } = await load({
    $schema: 'whatever',
    baseUrl: `${url}/edge/v9/`,
    documentUrl: 'https://docs.example.test/api',
    keys: {
      throttled: { command: ['node', '-e', 'console.log("key-of-command")'] },
      primary: { env: 'K1' },
      otherAccount: { file: 'key.txt', workspace: 'w', board: 'b-9' },
      platformSwitchOff: { env: 'K2', baseUrl: 'https://closed.example.test/' },
    },
    workspaces: [{ slug: 'north', board: 'b-1' }, { slug: 'south' }],
    shape: '16:9',
    allow: ['writes', 'proposals'],
    maxImages: 16,
    clock: { advance: { url: 'https://clock.example.test/advance', headers: { 'x-control': { env: 'K2' } } } },
    pace: { requestsPerMinute: 120, concurrency: 4 },
    headers: { 'x-gateway': { env: 'GATEWAY' }, 'x-of-file': { file: 'header.txt' }, 'x-plain': 'plain' },
  });
  expect(target).toMatchObject({
    baseUrl: `${url}/edge/v9`,
    kind: 'config',
    documentUrl: 'https://docs.example.test/api',
    workspaces: [{ slug: 'north', board: 'b-1' }, { slug: 'south' }],
    shape: '16:9',
    allow: ['writes', 'proposals'],
    maxImages: 16,
    pace: { requestsPerMinute: 120, concurrency: 4, timeoutSeconds: 10, maxWaitSeconds: 90, maxBurst: 1000 },
    headers: [
      { name: 'x-gateway', value: 'gateway-token', variable: 'GATEWAY' },
      { name: 'x-of-file', value: 'header-of-file', variable: 'TCK_HEADER_X_OF_FILE' },
      { name: 'x-plain', value: 'plain' },
    ],
  });
  expect(Object.values(target.keys)).toEqual([
    { role: 'primary', key: 'key-number-one', variable: 'K1' },
    { role: 'otherAccount', key: 'key-of-file-one', variable: 'TCK_KEY_OTHER_ACCOUNT', workspace: 'w', board: 'b-9' },
    { role: 'platformSwitchOff', key: 'key-number-two', variable: 'K2', baseUrl: 'https://closed.example.test' },
    { role: 'throttled', key: 'key-of-command', variable: 'TCK_KEY_THROTTLED' },
  ]);
  const secrets = ['key-number-one', 'key-of-file-one', 'key-number-two', 'key-of-command'];
  expect(target.secrets).toEqual([...secrets, 'gateway-token', 'header-of-file']);
  expect(target.clock).toBeDefined();
  expect(notices).toEqual([]);
});

test('with a base URL and one key, everything else has its default', async () => {
  const { target } = await load({ baseUrl: url, keys: { primary: { env: 'K1' } } });
  expect(target).toEqual({
    baseUrl: url,
    kind: 'config',
    keys: { primary: { role: 'primary', key: 'key-number-one', variable: 'K1' } },
    workspaces: [],
    allow: [],
    maxImages: 16,
    pace: { concurrency: 16, timeoutSeconds: 10, maxWaitSeconds: 90, maxBurst: 1000 },
    headers: [],
    secrets: ['key-number-one'],
  });
});

test('a url and allowed effects of the command line come before those of the configuration', async () => {
  const { target } = await load(
    { baseUrl: url, keys: { primary: { env: 'K1' } }, allow: ['writes'] },
    { url: 'http://127.0.0.1:4010/', allow: ['proposals'] },
  );
  expect(target).toMatchObject({ baseUrl: 'http://127.0.0.1:4010', kind: 'url', allow: ['proposals'] });
});

test('without a configuration keys come from the environment, in the order of the roles', async () => {
  const around = { env: { TCK_KEY_SOLE: 'key-of-sole-1', TCK_KEY_PRIMARY: 'key-of-primary-1', OTHER: 'x' }, cwd: '/' };
  const { target } = await loadTarget({ url }, around);
  expect(Object.keys(target.keys)).toEqual(['primary', 'sole']);
  expect(target.allow).toEqual([]);
});

test.each([
  [{ TCK_KEY_PRIMRAY: 'a-key-of-one' }, "TCK_KEY_PRIMRAY: no role uses this variable; did you mean 'TCK_KEY_PRIMARY'?"],
  [{ TCK_KEY_PRIMARY: 'secret\n' }, 'TCK_KEY_PRIMARY: expected a key without white space, got some at its'],
])('the environment %j is refused', async (given, message) => {
  await expect(loadTarget({ url }, { env: given, cwd: '/' })).rejects.toThrow(message);
});

test.each([
  ['http://127.0.0.1:1', true],
  ['http://127.9.9.9', true],
  ['http://[::1]:8080/v1', true],
  ['http://LOCALHOST:80', true],
  ['https://api.example.test', true],
  ['http://api.example.test', false],
  ['http://localhost.example.test', false],
  ['http://128.0.0.1', false],
])('a key may go to %s: %s', async (address, may) => {
  const loading = loadTarget({ url: address }, { env: { TCK_KEY_PRIMARY: 'key-of-primary-1' }, cwd: '/' });
  if (may) await expect(loading).resolves.toBeDefined();
  else await expect(loading).rejects.toThrow(/^url: expected https.*--insecure/);
});

test('insecurely, a key goes anywhere', async () => {
  const around = { env: { TCK_KEY_PRIMARY: 'key-of-primary-1' }, cwd: '/' };
  const { target } = await loadTarget({ url: 'http://api.example.test', insecure: true }, around);
  expect(target.baseUrl).toBe('http://api.example.test');
});

const one = { baseUrl: url, keys: { primary: { env: 'K1' } } };
const within = (...workspaces: unknown[]) => ({ ...one, workspaces });
const advancing = (advance: object) => ({ ...one, clock: { advance } });
const sending = (name: string, value: unknown) => ({ ...one, headers: { [name]: value } });

test.each<[unknown, string]>([
  ['{\n  "baseUrl": "https://x.test",\n  "keys" { } }', ":3:10: not JSON: expected ':' after property name"],
  ['{ "a": 1, }', ':1:11: not JSON: expected double-quoted property name'],
  ['{ // why\n}', ":1:3: not JSON: expected property name or '}'"],
  ['{ "keys": { "primary": "sk-secret-value"', 'not JSON'],
  ['{ "allow": none }', 'tck.config.json: not JSON'],
  ['', 'tck.config.json: not JSON'],
  [[], 'the file: expected an object, got an empty array'],
  [
    { baseURL: 'x' },
    "tck.config.json is not a valid configuration:\n  baseURL: unknown field; did you mean 'baseUrl'? (known: $schema,",
  ],
  [{ ...one, baseUrl: 'api' }, "baseUrl: expected an http or https URL, got 'api'"],
  [{ ...one, baseUrl: 'ftp://api.example.test' }, "got a URL that starts with 'ftp:'"],
  [{ ...one, baseUrl: 'https://u:p@api.example.test' }, 'without a user name and a password'],
  [{ ...one, baseUrl: `${url}?x=1` }, 'without a query and without a fragment'],
  [{ ...one, baseUrl: `${url}/#` }, 'without a query and without a fragment'],
  [{ ...one, baseUrl: 'http://api.example.test' }, "baseUrl: expected https, got 'http:"],
  [{ keys: one.keys }, 'no target: pass a URL'],
  [{ baseUrl: url }, 'keys: expected a key for at least one role'],
  [{ keys: { primray: { env: 'X' } } }, "keys.primray: unknown role; did you mean 'primary'?"],
  ...[
    ['workspaces[0].slug', { workspaces: [{ slug: 'slug-of-some-workspace' }] }] as const,
    ['workspaces[0].board', { workspaces: [{ slug: 'north', board: 'a-slug-of-some-workspace' }] }] as const,
    ['headers.value', { headers: { 'x-plain': 'Slug-Of-Some-Workspace' } }] as const,
    ['headers.name', { headers: { 'slug-of-some-workspace': 'blue' } }] as const,
    ['the base URL', { baseUrl: `${url}/slug-of-some-workspace` }] as const,
    ['keys.sole.board', { keys: { sole: { env: 'LISTED', board: 'slug-of-some-workspace' } } }] as const,
  ].map(([place, more]): [unknown, string] => [
    { ...one, keys: { sole: { env: 'LISTED' } }, ...more },
    `keys.sole (LISTED): expected a key that is not part of other texts, got a key that is in ${place};`,
  ]),
  ...(
    [
      ['sk-secret', ': expected an object such as { "env": "NAME" }'],
      [{}, ': expected exactly one of "env", "file", "command", got an empty object'],
      [{ env: 'A', file: 'b' }, ': expected exactly one of "env", "file", "command"'],
      [{ env: 'sk-secret' }, '.env: expected the name of an environment variable, got a string'],
      [{ en: 'A' }, ".en: unknown field; did you mean 'env'?"],
      [{ command: 'pass x' }, '.command: expected an array of texts'],
      [{ command: ['p'], lifetime: '0s' }, '.lifetime: expected a duration such as "90s"'],
      [{ env: 'A', workspace: '' }, '.workspace: expected the slug of a workspace, got an empty string'],
      [{ env: 'WORD' }, ' (WORD): expected a key that is not part of other texts'],
      [{ env: 'NONE' }, '.env: expected the environment variable NONE to be set, but it is not'],
      // The environment is an object, which inherits this property.
      [{ env: 'constructor' }, '.env: expected the environment variable constructor to be set, but it is not'],
      [{ env: 'EMPTY' }, '.env (EMPTY): expected a key, got an empty value'],
      [{ env: 'SPACED' }, '.env (SPACED): expected a key without white space'],
      [{ env: 'UMLAUT' }, '.env (UMLAUT): expected a key of visible ASCII'],
      [{ env: 'SHORT' }, '.env (SHORT): expected a key of at least 12 characters, got 11; the kit cannot hide'],
      [{ file: 'no.txt' }, ".file: expected a file that can be read, but 'no.txt' does not exist"],
      [{ file: '.' }, ".file: expected a file that can be read, but '.' is a folder"],
      [{ command: ['no-program'] }, ".command: expected 'no-program' to print the secret, but it was not found"],
      [
        { command: ['node', '-e', 'console.log("leak"); process.exit(3)'] },
        ".command: expected 'node' to print the secret, but it exited with code 3",
      ],
      [{ env: 'K1', baseUrl: 'http://x.test' }, '.baseUrl: expected https'],
      [{ env: 'K1', baseUrl: 'x' }, '.baseUrl: expected an http or https URL'],
      [{ env: 'K1', lifetime: '1m' }, '.lifetime: expected only beside "command"'],
    ] as const
  ).map(([sole, message]): [unknown, string] => [{ baseUrl: url, keys: { sole } }, `keys.sole${message}`]),
  [within({ slug: 'a' }, { slug: 'a' }), "workspaces[1].slug: expected each workspace once, got 'a' again"],
  [within({ slug: 'a' }, { board: 'b' }), 'workspaces[1].slug: expected the slug of a workspace, got (missing)'],
  [within('north'), 'workspaces[0]: expected an object such as { "slug": "north", "board": "b-1" }, got "north"'],
  [{ shape: 'square' }, 'shape: expected an aspect ratio such as "1:1", got "square"'],
  [
    { allow: ['write'] },
    `allow[0]: expected one of proposals, writes, spending, throttling, waiting, got "write"; did you mean 'writes'?`,
  ],
  [{ allow: 'all' }, 'allow: expected an array of side effects: proposals, writes'],
  [{ maxImages: -1 }, 'maxImages: expected an integer from 0 to 1000, got -1'],
  [{ maxImages: 1.5 }, 'maxImages: expected an integer from 0 to 1000, got 1.5'],
  [{ pace: { concurrency: 0 } }, 'pace.concurrency: expected an integer from 1 to 256, got 0'],
  [{ pace: { requestsPerMinute: 0 } }, 'pace.requestsPerMinute: expected a number above 0, got 0'],
  [{ pace: { timeout: 5 } }, 'pace.timeout: unknown field'],
  [{ clock: {} }, 'clock.advance: expected an object with "url" or "command", got (missing)'],
  [advancing({}), 'clock.advance: expected exactly one of "url", "command"'],
  [
    advancing({ url: 'https://c.test', headers: { x: { evn: 'A' } } }),
    "clock.advance.headers.x.evn: unknown field; did you mean 'env'?",
  ],
  [advancing({ command: ['./advance'] }), 'clock.advance.command: expected an argument with {seconds}'],
  [advancing({ url: 'clock' }), 'clock.advance.url: expected an http or https URL'],
  [advancing({ url: 'http://c.test', headers: { x: { env: 'K2' } } }), 'clock.advance.url: expected https'],
  [sending('x-gateway', 5), 'headers.x-gateway: expected a text or an object such as { "env": "NAME" }, got a number'],
  [sending('x-gateway', {}), 'headers.x-gateway: expected exactly one of "env", "file", "command"'],
  [
    sending('Authorization', { env: 'K2' }),
    'headers.Authorization: expected a header that the kit does not set itself',
  ],
  [sending('a b', 'x'), 'headers.a b: expected the name of a header'],
  [sending('x', { env: 'UMLAUT' }), 'headers.x: expected visible ASCII characters'],
  [
    { baseUrl: url, keys: { revoked: { env: 'K1' }, expired: { env: 'K1' } } },
    'keys.expired: expected a key other than that of keys.revoked',
  ],
])('the configuration %j is refused', async (config, message) => {
  const refusal: unknown = await load(config).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UsageError);
  expect(String(refusal)).toContain(message);
  expect(String(refusal)).not.toMatch(
    /sk-secret|key-number|gateway-token|two-parts|schlüssel|leak|elevenchars|slug-of|confirmation_r/i,
  );
});

test('a configuration may begin with a byte order mark, and one that cannot be read is named', async () => {
  expect((await load(`\uFEFF${JSON.stringify(one)}`)).target.baseUrl).toBe(url);
  const loading = (config: string) => loadTarget({ config }, { env, cwd: '/' });
  await expect(loading('no/such.json')).rejects.toThrow("--config: 'no/such.json' does not exist");
  await expect(loading('/')).rejects.toThrow("--config: '/' is a folder");
});

test('one key may be primary and play one of the four ways of resolution besides', async () => {
  const { notices } = await load({ baseUrl: url, keys: { primary: { env: 'K1' }, sole: { env: 'K1' } } });
  expect(notices).toEqual(['keys.primary and keys.sole are the same key']);
});

test.each([
  [['spending'], { primary: { env: 'K1' } }, ["'spending' has no effect without 'proposals'"]],
  [['proposals', 'spending', 'throttling'], { primary: { env: 'K1' } }, ["a key for the role 'throttled'"]],
  [['throttling'], { primary: { env: 'K1' }, throttled: { env: 'K2' } }, []],
])('with %j allowed and the keys %j it is said what has no effect', async (allow, keys, told) => {
  const { notices } = await load({ baseUrl: url, keys, allow });
  expect(notices).toEqual(told.map((text) => expect.stringContaining(text)));
});

test('a known target takes only allow, pace and maxImages from a configuration', async () => {
  const config = { ...one, allow: ['writes'], maxImages: 3, headers: { x: 'y' } };
  await using folder = await configFolder({ 'c.json': config });
  const known = { baseUrl: 'http://stub.test', kind: 'stub', keys: {}, workspaces: [], secrets: [] } as const;
  const around = { env: {}, cwd: folder.path };
  const { target } = await loadKnownTarget({ ...known, workspaces: [], secrets: [] }, { config: 'c.json' }, around);
  expect(target).toMatchObject({ baseUrl: known.baseUrl, allow: ['writes'], maxImages: 3, headers: [], keys: {} });
  const bare = await loadKnownTarget({ ...known, workspaces: [], secrets: [] }, {}, around);
  const allow = ['proposals', 'writes', 'spending', 'throttling', 'waiting'];
  expect(bare.target).toMatchObject({ allow, maxImages: 16 });
});
