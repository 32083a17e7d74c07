import { limits } from '../fixtures/contract/limits.ts';
import type { Role } from '../fixtures/roles.ts';
import { createStub, type Stub } from '../stub/index.ts';
import type { Recorded } from '../suites/recorded/recorded.ts';
import type { Target } from '../suites/target/target.ts';
import { combineDefects, type DefectId } from './mutations/defects/index.ts';
import { standingClock } from './stub/standing-clock.ts';
import { inProcess } from './stub-target.ts';

type Args = Readonly<Record<string, unknown>>;

/**
 * Simulates the requests of clients with several keys over a few hours: useful requests, mistakes and retries. The
 * clock stands still between requests, unless `through` puts an intermediary in front of the stub and returns its
 * address.
 */
export async function ordinaryUse(
  defects: readonly DefectId[] = [],
  through?: (stub: Stub) => Promise<string>,
): Promise<{ traffic: Recorded[]; target: Target }> {
  const stub = createStub({
    deviation: combineDefects(defects),
    ...(through === undefined ? { clock: standingClock } : {}),
  });
  const clients = new Clients(stub, through && (await through(stub)));
  await readEverything(clients);
  await makeMistakes(clients);
  await createRequests(clients);
  await generateImages(clients);
  await useBadKeys(clients);
  await meetTheLimit(clients);
  const target = inProcess(stub, { shape: '1:1' });
  await stub.close();
  return { traffic: clients.traffic, target };
}

/** Sends requests and records them like a proxy. */
class Clients {
  readonly traffic: Recorded[] = [];
  readonly stub: Stub;
  readonly north: string;
  readonly south: string;
  readonly boards: readonly string[];

  readonly #base: string;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;

  constructor(stub: Stub, address?: string) {
    this.stub = stub;
    this.#base = address ?? stub.baseUrl;
    this.#fetch = address === undefined ? stub.fetch : fetch;
    const [north, south] = stub.workspaces;
    [this.north, this.south] = [north?.slug ?? '', south?.slug ?? ''];
    this.boards = [north?.board ?? '', south?.board ?? ''];
  }

  /** Advances the clock, as if a person thinks or a job sleeps. */
  wait(seconds: number): void {
    this.stub.advance(seconds);
  }

  async send(tool: string, args: unknown = {}, as: Role | `Bearer ${string}` | null = 'primary'): Promise<Args> {
    const [answer] = await this.together([[tool, args, as]]);
    return answer ?? {};
  }

  /** Sends several requests at once. */
  async together(
    all: readonly (readonly [tool: string, args: unknown, as: Role | `Bearer ${string}` | null])[],
  ): Promise<Args[]> {
    const sentAt = this.stub.now();
    const responses = all.map(async ([tool, args, as]) => {
      const key =
        as === null ? {} : { authorization: as.startsWith('Bearer ') ? as : `Bearer ${this.stub.keys[as as Role]}` };
      const body = args === undefined ? null : typeof args === 'string' ? args : JSON.stringify(args);
      const headers = { ...key, ...(body === null ? {} : { 'content-type': 'application/json' }) };
      const url = `${this.#base}/api/v1/tools/${tool}`;
      // A server that breaks the connection sends no response.
      const response = await this.#fetch(url, { method: 'POST', headers, body }).catch(() => null);
      return { url, headers, body, response, text: (await response?.text()) ?? '' };
    });
    const ended = await Promise.all(responses);
    this.wait(0.02);
    for (const { url, headers, body, response, text } of ended) {
      this.traffic.push({
        method: 'POST',
        url,
        requestHeaders: [['host', new URL(url).host], ...Object.entries(headers)],
        requestBody: body,
        response: response && { status: response.status, headers: [...response.headers], text },
        sentAt,
        receivedAt: this.stub.now(),
      });
    }
    this.wait(0.5);
    return ended.map(({ text }) => parsed(text));
  }
}

function parsed(text: string): Args {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

const served: readonly Role[] = ['primary', 'ambiguous', 'pinned', 'defaulted', 'sole', 'otherAccount'];

async function readEverything(clients: Clients): Promise<void> {
  const { north, south } = clients;
  const places: Args[] = [{}, { workspace: north }, { workspace: south }];
  for (const round of [1, 2]) {
    for (const role of served) {
      for (const place of places) {
        await clients.send('schedule.read', place, role);
        await clients.send('content.status', place, role);
        await clients.send('connections.status', place, role);
        await clients.send('library.search', { ...place, query: '' }, role);
        const found = await clients.send('library.search', { ...place, query: round === 1 ? 'a' : 'week' }, role);
        const [item] = Array.isArray(found.items) ? found.items : [];
        if (item !== undefined) await clients.send('library.get', { ...place, kind: item.kind, id: item.id }, role);
        await clients.send('library.get', { ...place, kind: item?.kind ?? 'post', id: 'deleted-long-ago' }, role);
        await clients.send('knowledge.search', { ...place, query: 'Who are our readers?' }, role);
      }
      await clients.send('credits.balance', {}, role);
    }
  }
  for (const tool of ['schedule.read', 'connections.status', 'credits.balance'])
    await clients.send(tool, undefined, 'sole');
  await clients.send('credits.balance', {}, 'throttled');
}

async function makeMistakes(clients: Clients): Promise<void> {
  const { north } = clients;
  for (const tool of ['schedule.reed', 'content.create', 'library.find', 'images', 'Schedule.Read'])
    await clients.send(tool);
  const bodies = ['{"workspace": ', '"text"', '7', 'true', 'null', '[]', '[{}]', `[${'0,'.repeat(9999)}0]`];
  for (const body of bodies) await clients.send('schedule.read', body);
  for (const tool of [
    'content.status',
    'library.search',
    'library.get',
    'knowledge.search',
    'connections.status',
    'credits.balance',
    'content.create_request',
    'images.generate',
  ])
    await clients.send(tool, '[{}]');
  const wrong: readonly [string, Args][] = [
    ['schedule.read', { workspace: '' }],
    ['schedule.read', { workspace: 7 }],
    ['schedule.read', { workspace: 'no-such-workspace' }],
    ['content.status', { workspace: '' }],
    ['connections.status', { workspace: ['north'] }],
    ['library.search', { workspace: '', query: '' }],
    ['library.search', { workspace: north, query: 7 }],
    ['library.get', { workspace: north, kind: 'post' }],
    ['library.get', { workspace: north, id: 'x' }],
    ['library.get', { workspace: north, kind: 7, id: 'x' }],
    ['library.get', { workspace: north, kind: 'post', id: 7 }],
    ['library.get', { workspace: north }],
    ['knowledge.search', { workspace: north, query: ['a'] }],
    ['knowledge.search', { workspace: '', query: 'a' }],
  ];
  for (const [tool, args] of wrong) await clients.send(tool, args);
  const { otherAccount } = clients.stub;
  for (const tool of ['schedule.read', 'content.status', 'connections.status'])
    await clients.send(tool, { workspace: otherAccount.slug });
  await clients.send('library.search', { workspace: otherAccount.slug, query: '' });
  await clients.send('knowledge.search', { workspace: otherAccount.slug, query: 'Who are our readers?' });
}

async function createRequests(clients: Clients): Promise<void> {
  const { north, south } = clients;
  const day = new Date(clients.stub.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  const good = { workspace: north, format: 'posts', day };
  for (const format of ['posts', 'stories', 'shorts_clips', 'long_form', 'articles'])
    await clients.send('content.create_request', { ...good, format, title: 'A working title' });
  for (const title of ['x', 'y'.repeat(limits.title.most)])
    await clients.send('content.create_request', { ...good, title });
  await clients.send('content.create_request', good);
  await clients.send('content.create_request', { ...good, workspace: south });
  for (const role of served)
    await clients.send('content.create_request', { format: 'posts', day, title: 'Of whoever it is' }, role);
  const { otherAccount } = clients.stub;
  const wrong: readonly Args[] = [
    { format: undefined },
    { format: 'reels' },
    { format: 7 },
    { day: undefined },
    { day: '4 January' },
    { day: `${day}T09:00:00Z` },
    { day: 20270104 },
    { title: '' },
    { title: 'z'.repeat(limits.title.most + 1) },
    { title: 7 },
    { priority: 'high' },
    { workspace: '' },
    { workspace: 7 },
    { workspace: otherAccount.slug },
    { format: 'reels', day: 'soon' },
  ];
  for (const each of wrong) await clients.send('content.create_request', { ...good, ...each });
}

async function generateImages(clients: Clients): Promise<void> {
  const { north, south, boards, stub } = clients;
  const [board, otherBoard] = boards;
  const tool = 'images.generate';
  const good = { workspace: north, board, brief: 'A quiet street in the rain', count: 1, shape: '1:1' };
  const propose = async (more: Args = {}, as: Role = 'primary') =>
    (await clients.send(tool, { ...good, ...more }, as)).confirmation_id;
  const confirm = async (confirmation_id: unknown, more: Args = {}, as: Role = 'primary') =>
    clients.send(tool, { ...good, ...more, confirmation_id }, as);
  const balance = () => clients.send('credits.balance');

  await balance();
  const first = await propose();
  await propose({ count: 2 });
  await balance();
  // Approved, sent twice by an impatient person, and sent again from an old tab.
  await confirm(first);
  await confirm(first);
  clients.wait(120);
  await confirm(first);
  await confirm(first, { count: 2 });
  await propose();
  await balance();
  // Edited between the two requests.
  await confirm(await propose(), { count: 2 });
  await propose({ shape: '16:9' });
  await confirm(await propose(), { shape: '16:9' });
  await confirm(await propose(), { board: otherBoard });
  // A form without one field, then the complete form again.
  const again = await propose();
  await confirm(again, { brief: undefined });
  await confirm(again, { workspace: south, board: otherBoard });
  await confirm(again);
  // Several proposals on one screen.
  const [one, two] = [await propose({ brief: 'A' }), await propose({ brief: 'B' })];
  await confirm(one, { brief: 'A' });
  await confirm(two, { brief: 'B' });
  await confirm(await propose(), { workspace: south, board: otherBoard });
  // After a walk, after lunch, and on the next day.
  for (const minutes of [10, 20, 50, 600]) {
    const id = await propose();
    clients.wait(minutes * 60);
    await confirm(id);
  }
  await confirm(await propose());
  const raced = await propose();
  await clients.together([1, 2, 3].map(() => [tool, { ...good, confirmation_id: raced }, 'primary'] as const));
  await confirm('');
  await confirm(null);
  await confirm(7);
  for (const role of ['pinned', 'defaulted', 'sole'] as const) await propose({ workspace: undefined }, role);
  await confirm(await propose(), { workspace: stub.otherAccount.slug, board: stub.otherAccount.board }, 'otherAccount');
  const wrong: readonly Args[] = [
    { board: undefined },
    { brief: undefined },
    { count: undefined },
    { shape: undefined },
    { count: 1.5 },
    { count: '1' },
    { board: 7 },
    { brief: 7 },
    { shape: 1 },
    { workspace: '' },
    { workspace: 7 },
    { board: 'deleted-long-ago' },
    { board: otherBoard },
    { workspace: south, board: otherBoard },
    { workspace: stub.otherAccount.slug },
    { workspace: undefined },
    { dry_run: false },
  ];
  for (const each of wrong) await propose(each);
  await propose({ workspace: undefined }, 'ambiguous');
}

async function useBadKeys(clients: Clients): Promise<void> {
  const bad = [
    null,
    'Bearer a-key-from-another-service',
    'revoked',
    'expired',
    'withoutAccess',
    'accountSwitchOff',
    'platformSwitchOff',
  ] as const;
  // An unattended job retries many times.
  for (let round = 0; round < 8; round += 1) for (const as of bad) await clients.send('schedule.read', {}, as);
  for (const tool of [
    'credits.balance',
    'library.search',
    'content.status',
    'knowledge.search',
    'connections.status',
    'library.get',
    'content.create_request',
    'images.generate',
  ])
    for (const as of bad) await clients.send(tool, tool === 'library.search' ? { query: '' } : {}, as);
}

async function meetTheLimit(clients: Clients): Promise<void> {
  const { north } = clients;
  clients.wait(120);
  const tools = ['schedule.read', 'connections.status', 'content.status'];
  for (let count = 0; count < 40; count += 1)
    await clients.send(tools[count % 3] ?? '', { workspace: north }, 'throttled');
  await clients.send('schedule.read', { workspace: north });
  for (const tool of tools) await clients.send(tool, { workspace: north }, 'throttled');
  clients.wait(61);
  await clients.send('schedule.read', { workspace: north }, 'throttled');
}
