import { expect, test } from 'vitest';
import { configFolder } from '../../test/config-folder.ts';
import { UsageError } from '../usage/usage-error.ts';
import { readConfigFile } from './config-file.ts';

async function refusalOf(content: unknown): Promise<string> {
  await using folder = await configFolder({ 'c.json': content });
  const error = await readConfigFile('c.json', folder.path).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error instanceof Error ? error.message : '';
}

test('a configuration is read with its folder; a byte order mark is no matter', async () => {
  await using folder = await configFolder({ 'c.json': '\uFEFF{ "baseUrl": "https://api.example.test" }' });
  const file = await readConfigFile('c.json', folder.path);
  expect(file).toEqual({ config: { baseUrl: 'https://api.example.test' }, folder: folder.path });
});

test.each([
  ['{\n  "baseUrl": "https://x.test",\n  "keys" { } }', "c.json:3:10: not JSON: expected ':' after property name"],
  ['{ "a": 1, }', 'c.json:1:11: not JSON: expected double-quoted property name'],
  ['{ // why\n}', "c.json:1:3: not JSON: expected property name or '}'"],
  ['{ "keys": { "primary": "sk-secret-value"', 'not JSON'],
  ['{ "allow": none }', 'c.json: not JSON'],
  ['', 'c.json: not JSON'],
])('%j is not JSON', async (content, message) => {
  const refusal = await refusalOf(content);
  expect(refusal).toContain(message);
  expect(refusal).not.toContain('sk-secret');
});

test.each<[unknown, string]>([
  [[], 'the file: expected an object, got an empty array'],
  [{ baseURL: 'x' }, "baseURL: unknown field; did you mean 'baseUrl'? (known: $schema, baseUrl, keys,"],
  [{ keys: { primray: { env: 'X' } } }, "keys.primray: unknown role; did you mean 'primary'?"],
  [{ keys: { primary: 'sk-secret' } }, 'keys.primary: expected an object such as { "env": "NAME" }'],
  [{ keys: { primary: {} } }, 'keys.primary: expected exactly one of "env", "file", "command", got an empty object'],
  [{ keys: { primary: { env: 'A', file: 'b' } } }, 'keys.primary: expected exactly one of "env", "file", "command"'],
  [
    { keys: { primary: { env: 'sk-secret' } } },
    'keys.primary.env: expected the name of an environment variable, got a string',
  ],
  [
    { keys: { primary: { command: ['p'], lifetime: '0s' } } },
    'keys.primary.lifetime: expected a duration such as "90s"',
  ],
  [{ keys: { primary: { en: 'A' } } }, "keys.primary.en: unknown field; did you mean 'env'?"],
  [{ keys: { primary: { command: 'pass x' } } }, 'keys.primary.command: expected an array of texts'],
  [
    { keys: { primary: { env: 'A', workspace: '' } } },
    'keys.primary.workspace: expected the slug of a workspace, got an empty string',
  ],
  [
    { workspaces: [{ slug: 'a' }, { board: 'b' }] },
    'workspaces[1].slug: expected the slug of a workspace, got (missing)',
  ],
  [
    { workspaces: ['north'] },
    'workspaces[0]: expected an object such as { "slug": "north", "board": "b-1" }, got "north"',
  ],
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
  [{ clock: { advance: {} } }, 'clock.advance: expected exactly one of "url", "command"'],
  [
    { clock: { advance: { url: 'https://c.test', headers: { x: { evn: 'A' } } } } },
    "clock.advance.headers.x.evn: unknown field; did you mean 'env'?",
  ],
  [
    { headers: { 'x-gateway': 5 } },
    'headers.x-gateway: expected a text or an object such as { "env": "NAME" }, got a number',
  ],
  [{ headers: { 'x-gateway': {} } }, 'headers.x-gateway: expected exactly one of "env", "file", "command"'],
])('%j is refused', async (config, message) => {
  const refusal = await refusalOf(config);
  expect(refusal).toContain(message);
  expect(refusal).toContain('c.json is not a valid configuration:');
  expect(refusal).not.toContain('sk-secret');
});

test('a file that is not there is named', async () => {
  await expect(readConfigFile('no/such.json', '/')).rejects.toThrow("--config: 'no/such.json' does not exist");
  await expect(readConfigFile('/', '/')).rejects.toThrow("--config: '/' is a folder");
});
