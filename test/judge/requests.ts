import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { Fault } from '../../stub/faults/fault.ts';
import type { Hand } from '../stub/hand.ts';
import { type Case, of, sends } from './case.ts';

const create = { format: 'posts', day: '2030-01-02' };
const nowhere = { board: 'brd_none' };
const ofRefusal = (tool: ToolName): Fault => ({ tool, code: 'index_rebuilding' });

/** Sends a request with the key also in another place, or in another form. */
const keyIn = (how: (key: string) => { path?: string; headers?: object; args?: object }) => (hand: Hand) => {
  const { args = {}, ...more } = how(hand.stub.keys.primary);
  return hand.send('credits.balance', args, more);
};

/** Searches, with a fault, and gets an item by what the response shows. */
const foundAfter =
  (fault: Fault) =>
  async ({ send, stub }: Hand) => {
    stub.faults.add(fault);
    const { items = [{}] } = await send('library.search', { query: '' });
    await send('library.get', { kind: items[0].kind, id: `${items[0].id}` });
  };

const strayed = (path: string) => (hand: Hand) =>
  hand.stub.fetch(hand.stub.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${hand.stub.keys.primary}` },
  });
const strayPaths = ['/tools/schedule.read', '/api/v1/tool/schedule.read', '/api/v1/tools/v2/schedule.read', '/'];
const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } };
const asText = { headers: { 'content-type': 'text/plain' } };

export const requestCases: readonly Case[] = [
  ...of('client-keys.only-in-authorization', {
    'a key where it belongs': [sends('credits.balance', {}), 'passed'],
    'a key in the query': [keyIn((key) => ({ path: `?key=${key}` })), ['failed', [1]]],
    'a key in another header': [keyIn((key) => ({ headers: { 'x-api-key': key } })), ['failed', [1]]],
    'a key under another scheme': [keyIn((key) => ({ headers: { authorization: `Token ${key}` } })), ['failed', [1]]],
    'a key in the body': [keyIn((key) => ({ args: { key } })), ['failed', [1]]],
    'a cut key': [keyIn((key) => ({ headers: { authorization: `Bearer ${key.slice(0, -2)}` } })), ['failed', [1]]],
  }),
  ...of('client-requests.known-tools', {
    'a tool that is one': [sends('schedule.read', undefined), 'passed'],
    'a tool that does not exist': [sends('schedule.write', {}), ['failed', [1]]],
    'a call by GET': [sends('schedule.read', undefined, { method: 'GET' }), ['failed', [1]]],
    "a browser's preflight": [sends('schedule.read', undefined, preflight), 'not-tested'],
    ...Object.fromEntries(strayPaths.map((path) => [`a call to ${path}`, [strayed(path), ['failed', [1]]] as const])),
    'a look whether the stub is there': [({ stub }) => stub.fetch(`${stub.baseUrl}/`), 'not-tested'],
  }),
  ...of('client-requests.json-object', {
    'no body': [sends('schedule.read', undefined), 'not-tested'],
    'an object': [sends('schedule.read', {}), 'passed'],
    'an object in a list': [sends('schedule.read', [{}]), ['failed', [1]]],
    'half an object': [sends('schedule.read', '{"a":'), ['failed', [1]]],
  }),
  ...of('client-requests.content-type', {
    'JSON that says so': [sends('schedule.read', {}), 'passed'],
    'JSON as text': [sends('schedule.read', {}, asText), ['warned', [1]]],
  }),
  ...of('client-requests.valid-arguments', {
    'good arguments': [sends('content.create_request', create), 'passed'],
    'an unknown format': [sends('content.create_request', { ...create, format: 'reels' }), ['failed', [1]]],
    'a count beyond bounds that the specification does not show': [
      ({ send, request }) => send('images.generate', { ...request, count: 10_000 }),
      'passed',
    ],
  }),
  ...of('client-requests.known-arguments', {
    'arguments that are known, and some where not all are shown': [
      async ({ send }) => {
        await send('library.search', { query: '', workspace: 'north' });
        await send('content.status', { state: 'draft' });
      },
      'passed',
    ],
    'a slip in the name of an argument': [sends('knowledge.search', { question: 'Who are we?' }), ['warned', [1]]],
    'a workspace for what belongs to the account': [sends('credits.balance', { workspace: 'north' }), ['warned', [1]]],
  }),
  ...of('client-requests.item-as-found', {
    'an item that a search found': [
      async ({ send }) => {
        const { items } = await send('library.search', { query: '' });
        await send('library.get', { kind: items[0].kind, id: items[0].id });
      },
      'passed',
    ],
    'an item under another kind, and one out of nothing': [
      async ({ send }) => {
        const { items } = await send('library.search', { query: '' });
        await send('library.get', { kind: `${items[0].kind}s`, id: items[0].id });
        await send('library.get', { kind: items[0].kind, id: 'undefined' });
      },
      ['warned', [1, 2], [3]],
    ],
  }),
  ...of('client-outcomes.ok-decides', {
    'an item out of a refused search': [foundAfter(ofRefusal('library.search')), ['failed', [2, 3]]],
    'another item after a refused search, by an id that was known before': [
      async ({ send, stub }) => {
        stub.faults.add(ofRefusal('library.search'));
        await send('library.search', { query: '' });
        await send('library.get', { kind: 'brief', id: 'itm_1' });
      },
      'passed',
    ],
    'an id out of a refusal': [
      async ({ propose, confirm }) => confirm(String(await propose(nowhere)), nowhere),
      ['failed', [1, 2]],
    ],
    'nothing for an id, out of a refusal': [
      async ({ propose, confirm }) => {
        await propose(nowhere);
        await confirm(null, nowhere);
      },
      ['failed', [1, 2]],
    ],
    'nothing for an id, to begin with': [({ confirm }) => confirm(null), 'not-tested'],
    'a refusal and no more': [({ propose }) => propose(nowhere), 'not-tested'],
  }),
  ...of('client-outcomes.status-decides', {
    'an item out of a search that failed': [foundAfter({ tool: 'library.search', status: 500 }), ['failed', [2, 3]]],
    'an id out of a proposal that failed': [
      async ({ propose, confirm, stub }) => {
        stub.faults.add({ status: 503 });
        await confirm(String(await propose()));
      },
      ['failed', [2, 3]],
    ],
    'the same request again after it failed, and its result': [
      async ({ propose, confirm, stub }) => {
        stub.faults.add({ status: 503 }, { retryAfterSeconds: 1 });
        await propose();
        await propose();
        await confirm(await propose());
      },
      'not-tested',
    ],
  }),
];
