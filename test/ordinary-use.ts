import { limits } from '../fixtures/contract/limits.ts';
import { isRole, type Role } from '../fixtures/roles.ts';
import { createStub, type Stub } from '../stub/index.ts';
import { parsed } from '../suites/json.ts';
import type { Recorded } from '../suites/recorded/recorded.ts';
import type { Target } from '../suites/target/target.ts';
import { combineDefects, type DefectId } from './mutations/defects/index.ts';
import { standingClock } from './stub/standing-clock.ts';
import { inProcess } from './stub-target.ts';

type Args = Readonly<Record<string, unknown>>;
/** A request without arguments has an empty object. `as` is a role, a key without a role, or null for no key. */
type Call = readonly [tool: string, args?: unknown, as?: string | null];

/** Sends no body. */
const nothing = Symbol();

/**
 * Simulates the requests of clients with several keys over a few hours: useful requests, mistakes and retries. The
 * clock stands still between requests, unless `through` puts an intermediary in front of the stub and returns its
 * address.
 */
export async function ordinaryUse(
  defects: readonly DefectId[] = [],
  through?: (stub: Stub) => Promise<string>,
): Promise<{ traffic: Recorded[]; target: Target }> {
  const clock = through === undefined ? { clock: standingClock } : {};
  const stub = createStub({ deviation: combineDefects(defects), ...clock });
  const clients = new Clients(stub, through && (await through(stub)));
  const acts = [readEverything, makeMistakes, createRequests, generateImages, useBadKeys, meetTheLimit];
  for (const act of acts) await act(clients);
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
  readonly #base: string;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;

  constructor(stub: Stub, address?: string) {
    this.stub = stub;
    this.#base = address ?? stub.baseUrl;
    this.#fetch = address === undefined ? stub.fetch : fetch;
    [this.north = '', this.south = ''] = stub.workspaces.map(({ slug }) => slug);
  }

  /** Advances the clock, as if a person thinks or a job sleeps. */
  wait(seconds: number): void {
    this.stub.advance(seconds);
  }

  async send(...call: Call): Promise<Args> {
    const [answer] = await this.together([call]);
    return answer ?? {};
  }

  /** Sends several requests at once. */
  async together(all: readonly Call[]): Promise<Args[]> {
    const sentAt = this.stub.now();
    const responses = all.map(async ([tool, args = {}, as = 'primary']) => {
      const key = as === null ? {} : { authorization: `Bearer ${isRole(as) ? this.stub.keys[as] : as}` };
      const body = args === nothing ? null : typeof args === 'string' ? args : JSON.stringify(args);
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
    return ended.map(({ text }) => (parsed(text) ?? {}) as Args);
  }
}

const served: readonly Role[] = ['primary', 'ambiguous', 'pinned', 'defaulted', 'sole', 'otherAccount'];
const readings = ['schedule.read', 'content.status', 'connections.status'];
const others = ['library.search', 'library.get', 'knowledge.search', 'credits.balance'];
const create = 'content.create_request';
const generate = 'images.generate';
const question = 'Who are our readers?';

/** Returns arguments with one property replaced by each of its wrong values. */
const wrongs = (good: Args, values: Readonly<Record<string, readonly unknown[]>>): Args[] =>
  Object.entries(values).flatMap(([name, all]) => all.map((value) => ({ ...good, [name]: value })));

async function readEverything(clients: Clients): Promise<void> {
  const { north, south } = clients;
  for (const word of ['a', 'week']) {
    for (const role of served) {
      for (const place of [{}, { workspace: north }, { workspace: south }]) {
        for (const tool of readings) await clients.send(tool, place, role);
        await clients.send('library.search', { ...place, query: '' }, role);
        const found = await clients.send('library.search', { ...place, query: word }, role);
        const [item] = Array.isArray(found.items) ? found.items : [];
        if (item !== undefined) await clients.send('library.get', { ...place, kind: item.kind, id: item.id }, role);
        await clients.send('library.get', { ...place, kind: item?.kind ?? 'post', id: 'deleted-long-ago' }, role);
        await clients.send('knowledge.search', { ...place, query: question }, role);
      }
      await clients.send('credits.balance', {}, role);
    }
  }
  for (const tool of ['schedule.read', 'connections.status', 'credits.balance'])
    await clients.send(tool, nothing, 'sole');
  await clients.send('credits.balance', {}, 'throttled');
}

async function makeMistakes(clients: Clients): Promise<void> {
  const { north: workspace } = clients;
  for (const tool of ['schedule.reed', 'content.create', 'library.find', 'images', 'Schedule.Read'])
    await clients.send(tool);
  const bodies = ['{"workspace": ', '"text"', '7', 'true', 'null', '[]', '[{}]', `[${'0,'.repeat(9999)}0]`];
  for (const body of bodies) await clients.send('schedule.read', body);
  for (const tool of [...readings, ...others, create, generate]) await clients.send(tool, '[{}]');
  const away = clients.stub.otherAccount.slug;
  const wrong: readonly [tool: string, args: readonly Args[]][] = [
    ['schedule.read', wrongs({}, { workspace: ['', 7, 'no-such-workspace', away] })],
    ['content.status', wrongs({}, { workspace: ['', away] })],
    ['connections.status', wrongs({}, { workspace: [['north'], away] })],
    ['library.search', wrongs({ workspace, query: '' }, { workspace: ['', away], query: [7] })],
    ['library.get', wrongs({ workspace, kind: 'post', id: 'x' }, { kind: [undefined, 7], id: [undefined, 7] })],
    ['library.get', [{ workspace }]],
    ['knowledge.search', wrongs({ workspace, query: question }, { workspace: ['', away], query: [['a']] })],
  ];
  for (const [tool, all] of wrong) for (const args of all) await clients.send(tool, args);
}

async function createRequests(clients: Clients): Promise<void> {
  const { north, south, stub } = clients;
  const { most } = limits.title;
  const day = new Date(stub.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  const good = { workspace: north, format: 'posts', day };
  const formats = ['posts', 'stories', 'shorts_clips', 'long_form', 'articles'];
  const pieces: Args[] = [
    ...formats.map((format) => ({ ...good, format, title: 'A working title' })),
    ...['x', 'y'.repeat(most)].map((title) => ({ ...good, title })),
    good,
    { ...good, workspace: south },
  ];
  for (const piece of pieces) await clients.send(create, piece);
  for (const role of served) await clients.send(create, { format: 'posts', day, title: 'Of whoever it is' }, role);
  const wrong = wrongs(good, {
    format: [undefined, 'reels', 7],
    day: [undefined, '4 January', `${day}T09:00:00Z`, 20270104],
    title: ['', 'z'.repeat(most + 1), 7],
    priority: ['high'],
    workspace: ['', 7, stub.otherAccount.slug],
  });
  for (const args of [...wrong, { ...good, format: 'reels', day: 'soon' }]) await clients.send(create, args);
}

async function generateImages(clients: Clients): Promise<void> {
  const { north, south, stub } = clients;
  const [board, otherBoard] = stub.workspaces.map((workspace) => workspace.board);
  const elsewhere = { workspace: south, board: otherBoard };
  const good = { workspace: north, board, brief: 'A quiet street in the rain', count: 1, shape: '1:1' };
  const propose = async (more: Args = {}, as: Role = 'primary') =>
    (await clients.send(generate, { ...good, ...more }, as)).confirmation_id;
  const confirm = async (confirmation_id: unknown, more: Args = {}, as: Role = 'primary') =>
    clients.send(generate, { ...good, ...more, confirmation_id }, as);
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
  await propose({ shape: '16:9' });
  for (const edit of [{ count: 2 }, { shape: '16:9' }, { board: otherBoard }]) await confirm(await propose(), edit);
  // A form without one field, then the complete form again.
  const again = await propose();
  await confirm(again, { brief: undefined });
  await confirm(again, elsewhere);
  await confirm(again);
  // Several proposals on one screen.
  const [one, two] = [await propose({ brief: 'A' }), await propose({ brief: 'B' })];
  await confirm(one, { brief: 'A' });
  await confirm(two, { brief: 'B' });
  await confirm(await propose(), elsewhere);
  // After a walk, after lunch, on the next day, and at once.
  for (const minutes of [10, 20, 50, 600, 0]) {
    const id = await propose();
    clients.wait(minutes * 60);
    await confirm(id);
  }
  const raced = await propose();
  await clients.together([1, 2, 3].map(() => [generate, { ...good, confirmation_id: raced }]));
  for (const id of ['', null, 7]) await confirm(id);
  for (const role of ['pinned', 'defaulted', 'sole', 'ambiguous'] as const)
    await propose({ workspace: undefined }, role);
  const { slug, board: foreign } = stub.otherAccount;
  await confirm(await propose(), { workspace: slug, board: foreign }, 'otherAccount');
  const wrong = wrongs(good, {
    board: [undefined, 7, 'deleted-long-ago', otherBoard],
    brief: [undefined, 7],
    count: [undefined, 1.5, '1'],
    shape: [undefined, 1],
    workspace: ['', 7, slug, undefined],
    dry_run: [false],
  });
  for (const args of [...wrong, { ...good, ...elsewhere }]) await propose(args);
}

async function useBadKeys(clients: Clients): Promise<void> {
  const refused = ['revoked', 'expired', 'withoutAccess', 'accountSwitchOff', 'platformSwitchOff'];
  const bad = [null, 'a-key-from-another-service', ...refused];
  // An unattended job retries many times.
  const retried = Array.from({ length: 8 }, () => 'schedule.read');
  for (const tool of [...retried, ...readings, ...others, create, generate])
    for (const as of bad) await clients.send(tool, tool === 'library.search' ? { query: '' } : {}, as);
}

async function meetTheLimit(clients: Clients): Promise<void> {
  const place = { workspace: clients.north };
  clients.wait(120);
  for (let count = 0; count < 40; count += 1) await clients.send(readings[count % 3] ?? '', place, 'throttled');
  await clients.send('schedule.read', place);
  for (const tool of readings) await clients.send(tool, place, 'throttled');
  clients.wait(61);
  await clients.send('schedule.read', place, 'throttled');
}
