import { limits } from '../../../fixtures/contract/limits.ts';
import type { Answer } from '../answer.ts';
import { dress } from '../dress.ts';
import type { JsonObject } from '../json.ts';
import { defaultOptions } from '../options.ts';
import { createPipeline, toolPath } from '../pipeline.ts';
import { createWorld, type Role } from '../world.ts';
import { deviating } from './index.ts';
import { type Mutation, secretOf } from './mutation.ts';

type Body = JsonObject | string | undefined;
/** Sends a request and adds its response to the transcript. */
type Send = (
  role: Role,
  tool: string,
  body?: Body,
  more?: { authorization?: string; query?: string; header?: string },
) => Promise<Answer>;

const quiet = { extraFields: false, extraHeaders: false, shuffledMembers: false };

/** Returns the responses to requests of every kind, sent in a fixed order, one per second. */
export const transcriptOf = async (mutation: Mutation, isOn: boolean): Promise<string[]> => {
  const options = { ...defaultOptions, ...quiet, ...mutation.options, now: () => Date.UTC(2031, 4, 6, 9) };
  const world = createWorld(options);
  const pipeline = createPipeline(world);
  const handler = isOn ? deviating(world, mutation, pipeline) : pipeline;
  const transcript: string[] = [];
  const send: Send = async (role, tool, body, more = {}) => {
    const received = {
      method: 'POST',
      path: toolPath + tool,
      query: more.query ?? '',
      headers: {
        authorization: more.authorization ?? `Bearer ${secretOf(world, role)}`,
        ...(more.header === undefined ? {} : { [more.header]: 'true' }),
      },
      body: Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)),
      platformOff: false,
    };
    const answer = await handler(received);
    const { status, headers, text } = dress(world, received, answer);
    transcript.push(
      `${role} ${tool} ${received.body.toString().slice(0, 80)} -> ${status} ${JSON.stringify(headers)} ${text}`,
    );
    return answer;
  };
  const slow: Send = (...call) => {
    world.advance(1);
    return send(...call);
  };
  await readEverything(slow, secretOf(world, 'primary'));
  await create(slow);
  const boards = (slug: string) => world.workspaces.get(slug)?.boards.map(({ id }) => id) ?? [];
  await generate(slow, boards, (minutes) => world.advance(minutes * 60));
  await burst(send, (seconds) => world.advance(seconds));
  return transcript;
};

const scoped = [
  ...['content.create_request', 'schedule.read', 'content.status', 'library.search', 'library.get'],
  ...['knowledge.search', 'connections.status', 'images.generate'],
];
const day = '2031-05-20';
const enough = new Map<string, JsonObject>([
  ['content.create_request', { format: 'posts', day }],
  ['library.search', { query: '' }],
  ['library.get', { kind: 'note', id: '0' }],
  ['knowledge.search', { query: `Who says "Ümit" & what? ${'Why? '.repeat(20)} ` }],
  ['images.generate', { board: '0', brief: 'b', count: 1, shape: '1:1' }],
]);

const readEverything = async (send: Send, good: string) => {
  for (const tool of scoped) {
    const args = enough.get(tool) ?? {};
    for (const role of [
      'pinned',
      'defaulted',
      'sole',
      'ambiguous',
      'revoked',
      'revoked',
      'accountSwitchOff',
    ] as const) {
      await send(role, tool, args);
    }
    for (const workspace of ['night-shift', 'glasshouse', 'Q', '', 'q'])
      await send('primary', tool, { ...args, workspace });
    await send('expired', tool, '{}');
    await send('ambiguous', tool, args);
    await send('primary', tool, '{}', { authorization: '' });
  }
  const found = await send('primary', 'library.search', { workspace: 'q', query: 'tide' });
  await send('primary', 'library.search', { workspace: 'q', query: 'nothing like it' });
  for (const kind of ['picture', 'clip', 'note']) {
    for (const { id } of Array.isArray(found.body.items) ? found.body.items.map(Object) : []) {
      await send('primary', 'library.get', { workspace: 'q', kind, id: String(id) });
    }
    await send('primary', 'library.get', { workspace: 'q', kind });
  }
  await send('primary', 'library.get', { workspace: 'q', id: '0' });
  for (const role of ['withoutAccess', 'platformSwitchOff', 'revoked', 'throttled', 'ambiguous'] as const) {
    await send(role, 'credits.balance');
  }
  const near = [
    `Bearer ${good}x`,
    `Bearer ${good.slice(0, -1)}`,
    `Bearer ${good.toLowerCase()}`,
    `Basic ${good}`,
    'Bearer x',
  ];
  for (const authorization of near) await send('primary', 'library.get', '{}', { authorization });
  for (const name of ['constructor', 'Credits.Balance', 'credits_balance', 'credits.balances', 'x'.repeat(120), 'x']) {
    await send('primary', name, '{}');
  }
  const bodies = ['{', '"x"', '1', 'false', 'null', '[]', '[{}]', '', '{}', JSON.stringify(Array(60).fill(0))];
  for (const tool of ['credits.balance', 'schedule.read', 'connections.status']) {
    for (const body of bodies) await send('sole', tool, body);
  }
};

const create = async (send: Send) => {
  const base = { workspace: 'q', format: 'posts', day };
  const changes: JsonObject[] = [
    ...['posts', 'stories', 'shorts_clips', 'long_form', 'articles', 'Posts', 'podcast'].map((format) => ({ format })),
    ...['', 'a', 'a'.repeat(limits.title.most), 'a'.repeat(limits.title.most + 1)].map((title) => ({ title })),
    ...[`${day}T10:00`, '2031-5-19', '20310519', 'tomorrow', 5].map((wrong) => ({ day: wrong })),
    ...[{ title: 5 }, { format: 5 }, { colour: 'red' }, { format: 'posts' }],
  ];
  for (const change of changes) await send('primary', 'content.create_request', { ...base, ...change });
  await send('primary', 'content.create_request', { workspace: 'q', day });
  await send('primary', 'content.create_request', { workspace: 'q', format: 'posts' });
};

const generate = async (send: Send, boards: (slug: string) => string[], wait: (minutes: number) => void) => {
  const tool = 'images.generate';
  const [board = '', other = ''] = boards('q');
  const [there = ''] = boards('42');
  const base = { workspace: 'q', board, brief: 'b', count: 1, shape: '1:1' };
  const confirm = async (change: JsonObject, role: Role = 'primary', count = 1) => {
    const { body } = await send('primary', tool, { ...base, count });
    const args = { ...base, count, confirmation_id: body.confirmation_id ?? '', ...change };
    return { args, answer: await send(role, tool, args) };
  };
  for (const name of Object.keys(base)) {
    await send('primary', tool, Object.fromEntries(Object.entries(base).filter(([key]) => key !== name)));
  }
  const odd: JsonObject[] = [
    { count: 1.5 },
    { count: '1' },
    { count: 0.5 },
    { brief: 5 },
    { board: there },
    { board: '0' },
  ];
  const ways: JsonObject[] = [
    { confirm: true },
    { dry_run: false },
    { confirmation_id: null },
    { confirmation_id: '' },
  ];
  for (const change of [...odd, ...ways, { confirmation_id: '12' }, { count: 2 }])
    await send('primary', tool, { ...base, ...change });
  await send('primary', tool, base, { query: 'confirm=1' });
  await send('primary', tool, base, { header: 'x-confirm' });
  await send('primary', 'credits.balance');
  const { args } = await confirm({});
  await send('primary', tool, args);
  const changed = [{ count: 3 }, { count: 4 }, { shape: '4:5' }, { board: other }, { board: '0' }];
  for (const change of changed) await confirm(change, 'primary', 2);
  await confirm({ workspace: '42', board: there });
  await confirm({ workspace: 'glasshouse', board: boards('glasshouse')[0] ?? '' }, 'otherAccount');
  const tail = await send('primary', tool, base);
  await send('primary', tool, { ...base, confirmation_id: `${tail.body.confirmation_id}x` });
  const race = await send('primary', tool, { ...base, count: 2 });
  const again = { ...base, count: 2, confirmation_id: race.body.confirmation_id ?? '' };
  await Promise.all([1, 2, 3].map(() => send('primary', tool, again)));
  for (const minutes of [Math.ceil(limits.confirmation.surelyAlive * 0.6), limits.confirmation.surelyDead]) {
    const older = await send('primary', tool, base);
    wait(minutes - 1);
    await send('primary', tool, base);
    wait(1);
    await send('primary', tool, { ...base, confirmation_id: older.body.confirmation_id ?? '' });
  }
  const first = await send('primary', tool, base);
  await send('primary', tool, base);
  await send('primary', tool, { ...base, confirmation_id: first.body.confirmation_id ?? '' });
};

const burst = async (send: Send, wait: (seconds: number) => void) => {
  for (let call = 0; call < 60; call += 1)
    await send('throttled', call % 2 ? 'credits.balance' : 'connections.status', '{}');
  await send('primary', 'credits.balance');
  for (let second = 0; second < 3; second += 1) {
    wait(1);
    await send('throttled', 'credits.balance');
  }
};
