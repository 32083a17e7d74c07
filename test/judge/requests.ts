import type { Case } from './case.ts';

const create = { format: 'posts', day: '2030-01-02' };

export const requestCases: readonly Case[] = [
  ['a key where it belongs', 'client-keys.only-in-authorization', ({ send }) => send('credits.balance', {}), 'passed'],
  [
    'a key in the query',
    'client-keys.only-in-authorization',
    ({ send, stub }) => send('credits.balance', {}, { path: `?key=${stub.keys.primary}` }),
    ['failed', [1]],
  ],
  [
    'a key in another header',
    'client-keys.only-in-authorization',
    ({ send, stub }) => send('credits.balance', {}, { headers: { 'x-api-key': stub.keys.primary } }),
    ['failed', [1]],
  ],
  [
    'a key under another scheme',
    'client-keys.only-in-authorization',
    ({ send, stub }) => send('credits.balance', {}, { headers: { authorization: `Token ${stub.keys.primary}` } }),
    ['failed', [1]],
  ],
  [
    'a key in the body',
    'client-keys.only-in-authorization',
    ({ send, stub }) => send('credits.balance', { key: stub.keys.primary }),
    ['failed', [1]],
  ],
  [
    'a key that was cut short',
    'client-keys.only-in-authorization',
    ({ send, stub }) =>
      send('credits.balance', {}, { headers: { authorization: `Bearer ${stub.keys.primary.slice(0, -2)}` } }),
    ['failed', [1]],
  ],
  ['a tool that is one', 'client-requests.known-tools', ({ send }) => send('schedule.read', undefined), 'passed'],
  [
    'a tool that does not exist',
    'client-requests.known-tools',
    ({ send }) => send('schedule.write', {}),
    ['failed', [1]],
  ],
  [
    'a call by GET',
    'client-requests.known-tools',
    ({ send }) => send('schedule.read', undefined, { method: 'GET' }),
    ['failed', [1]],
  ],
  [
    "a browser's preflight",
    'client-requests.known-tools',
    ({ send }) =>
      send('schedule.read', undefined, { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }),
    'not-tested',
  ],
  ...['/tools/schedule.read', '/api/v1/tool/schedule.read', '/api/v1/tools/v2/schedule.read', '/'].map(
    (path): Case => [
      `a call to ${path}`,
      'client-requests.known-tools',
      ({ stub }) =>
        stub.fetch(stub.baseUrl + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${stub.keys.primary}` },
        }),
      ['failed', [1]],
    ],
  ),
  [
    'a look whether the stub is there',
    'client-requests.known-tools',
    ({ stub }) => stub.fetch(`${stub.baseUrl}/`),
    'not-tested',
  ],
  ['no body', 'client-requests.json-object', ({ send }) => send('schedule.read', undefined), 'not-tested'],
  ['an object', 'client-requests.json-object', ({ send }) => send('schedule.read', {}), 'passed'],
  ['an object in a list', 'client-requests.json-object', ({ send }) => send('schedule.read', [{}]), ['failed', [1]]],
  ['half an object', 'client-requests.json-object', ({ send }) => send('schedule.read', '{"a":'), ['failed', [1]]],
  ['JSON that says so', 'client-requests.content-type', ({ send }) => send('schedule.read', {}), 'passed'],
  [
    'JSON as text',
    'client-requests.content-type',
    ({ send }) => send('schedule.read', {}, { headers: { 'content-type': 'text/plain' } }),
    ['warned', [1]],
  ],
  ['good arguments', 'client-requests.valid-arguments', ({ send }) => send('content.create_request', create), 'passed'],
  [
    'an unknown format',
    'client-requests.valid-arguments',
    ({ send }) => send('content.create_request', { ...create, format: 'reels' }),
    ['failed', [1]],
  ],
  [
    'bounds that the specification does not show',
    'client-requests.valid-arguments',
    ({ send, request }) => send('images.generate', { ...request, count: 10_000 }),
    'passed',
  ],
  [
    'arguments that are known, and some where not all are shown',
    'client-requests.known-arguments',
    async ({ send }) => {
      await send('library.search', { query: '', workspace: 'north' });
      await send('content.status', { state: 'draft' });
    },
    'passed',
  ],
  [
    'a slip in the name of an argument',
    'client-requests.known-arguments',
    ({ send }) => send('knowledge.search', { question: 'Who are we?' }),
    ['warned', [1]],
  ],
  [
    'a workspace for what belongs to the account',
    'client-requests.known-arguments',
    ({ send }) => send('credits.balance', { workspace: 'north' }),
    ['warned', [1]],
  ],
  [
    'an item that a search found',
    'client-requests.item-as-found',
    async ({ send }) => {
      const { items } = await send('library.search', { query: '' });
      await send('library.get', { kind: items[0].kind, id: items[0].id });
    },
    'passed',
  ],
  [
    'an item under another kind, and one out of nothing',
    'client-requests.item-as-found',
    async ({ send }) => {
      const { items } = await send('library.search', { query: '' });
      await send('library.get', { kind: `${items[0].kind}s`, id: items[0].id });
      await send('library.get', { kind: items[0].kind, id: 'undefined' });
    },
    ['warned', [1, 2], [3]],
  ],
  [
    'an item out of a refused search',
    'client-outcomes.ok-decides',
    async ({ send, stub }) => {
      stub.faults.add({ tool: 'library.search', code: 'index_rebuilding' });
      const { items = [{}] } = await send('library.search', { query: '' });
      await send('library.get', { kind: items[0].kind, id: `${items[0].id}` });
    },
    ['failed', [2, 3]],
  ],
  [
    'another item after a refused search, by an id that was known before',
    'client-outcomes.ok-decides',
    async ({ send, stub }) => {
      stub.faults.add({ tool: 'library.search', code: 'index_rebuilding' });
      await send('library.search', { query: '' });
      await send('library.get', { kind: 'brief', id: 'itm_1' });
    },
    'passed',
  ],
  [
    'an item out of a search that failed',
    'client-outcomes.status-decides',
    async ({ send, stub }) => {
      stub.faults.add({ tool: 'library.search', status: 500 });
      const { items = [{}] } = await send('library.search', { query: '' });
      await send('library.get', { kind: items[0].kind, id: `${items[0].id}` });
    },
    ['failed', [2, 3]],
  ],
  [
    'an id out of a proposal that failed',
    'client-outcomes.status-decides',
    async ({ propose, confirm, stub }) => {
      stub.faults.add({ status: 503 });
      await confirm(String(await propose()));
    },
    ['failed', [2, 3]],
  ],
  [
    'the same request again after it failed, and its result',
    'client-outcomes.status-decides',
    async ({ propose, confirm, stub }) => {
      stub.faults.add({ status: 503 }, { retryAfterSeconds: 1 });
      await propose();
      await propose();
      await confirm(await propose());
    },
    'not-tested',
  ],
  [
    'an id out of a refusal',
    'client-outcomes.ok-decides',
    async ({ propose, confirm }) => confirm(String(await propose({ board: 'brd_none' })), { board: 'brd_none' }),
    ['failed', [1, 2]],
  ],
  [
    'nothing for an id, out of a refusal',
    'client-outcomes.ok-decides',
    async ({ propose, confirm }) => {
      await propose({ board: 'brd_none' });
      await confirm(null, { board: 'brd_none' });
    },
    ['failed', [1, 2]],
  ],
  ['nothing for an id, to begin with', 'client-outcomes.ok-decides', ({ confirm }) => confirm(null), 'not-tested'],
  [
    'a refusal and no more',
    'client-outcomes.ok-decides',
    ({ propose }) => propose({ board: 'brd_none' }),
    'not-tested',
  ],
];
