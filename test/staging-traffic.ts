import type { Role } from '../fixtures/roles.ts';
import { createStub } from '../stub/index.ts';
import type { Recorded } from '../suites/recorded/recorded.ts';
import type { Target } from '../suites/target/target.ts';
import { mulberry } from './run-history.ts';
import { standingClock } from './stub/standing-clock.ts';
import { inProcess } from './stub-target.ts';

type Args = Readonly<Record<string, unknown>>;

interface Intent {
  readonly role: Role | null;
  readonly tool: string;
  readonly args: Args;
}

const clients: readonly Role[] = ['primary', 'ambiguous', 'pinned', 'defaulted', 'sole', 'otherAccount'];
const refused: readonly (Role | null)[] = ['revoked', 'expired', 'withoutAccess', 'accountSwitchOff', null];
const weekMs = 7 * 24 * 3600 * 1000;

/**
 * Maximum number of content requests in a week. Responses list them, and a real deployment does not grow without limit.
 */
const mostPieces = 400;

/**
 * Generates a week of traffic on a conforming staging deployment. People and jobs use several keys in several
 * workspaces. They read, create, propose, make mistakes, and confirm at once, late, twice or never. Requests overlap.
 */
export function stagingTraffic(exchanges: number, seed = 1): { traffic: Iterable<Recorded>; target: Target } {
  const stub = createStub({ clock: standingClock, seed, rateLimit: 100_000 });
  const random = mulberry(seed);
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const [north, south] = stub.workspaces;
  const places = new Map([...stub.workspaces, stub.otherAccount].map(({ slug, board }) => [slug, board]));
  const placeOf = (role: Role | null) =>
    role === 'otherAccount' ? stub.otherAccount.slug : one([north?.slug, north?.slug, south?.slug]);
  /** Planned requests with their due times. */
  const later: { readonly at: number; readonly intent: Intent }[] = [];

  function something(): Intent {
    const role = random() < 0.03 ? one(refused) : one(clients);
    const workspace = placeOf(role);
    const place = role === 'sole' || role === 'pinned' || random() < 0.1 ? {} : { workspace };
    const kind = random();
    if (kind < 0.3) return { role, tool: 'schedule.read', args: place };
    if (kind < 0.45) return { role, tool: 'content.status', args: place };
    if (kind < 0.6) return { role, tool: 'library.search', args: { ...place, query: one(['', 'week', 'a', 'tea']) } };
    if (kind < 0.7) return { role, tool: 'knowledge.search', args: { ...place, query: 'Who are our readers?' } };
    if (kind < 0.78) return { role, tool: 'connections.status', args: place };
    if (kind < 0.88) return { role, tool: 'credits.balance', args: {} };
    if (kind < 0.88 + Math.min(0.004, mostPieces / exchanges)) {
      const day = new Date(stub.now() + (1 + Math.floor(random() * 60)) * 86_400_000).toISOString().slice(0, 10);
      const wrong =
        random() < 0.1 ? one<Args>([{ day: 'soon' }, { format: 'reels' }, { title: '' }, { owner: 'me' }]) : {};
      const args = { ...place, format: one(['posts', 'stories', 'articles']), day, title: `Piece ${kind}`, ...wrong };
      return { role, tool: 'content.create_request', args };
    }
    if (kind < 0.92) return { role, tool: one(['schedule.reed', 'images', 'content']), args: {} };
    const image = { board: places.get(String(workspace)), brief: `A street, ${kind}`, count: 1, shape: '1:1' };
    return { role, tool: 'images.generate', args: { workspace, ...image } };
  }

  function remember({ role, tool, args }: Intent, answer: Args): void {
    const first: unknown = Array.isArray(answer.items) ? answer.items[0] : undefined;
    if (tool === 'library.search' && typeof first === 'object' && first !== null && random() < 0.5) {
      const { kind, id } = first as Args;
      const getting = { role, tool: 'library.get', args: { ...args, query: undefined, kind, id } };
      later.push({ at: stub.now() + 2000, intent: getting });
    }
    const { confirmation_id } = answer;
    if (typeof confirmation_id !== 'string' || random() < 0.5) return;
    const confirming = { role, tool, args: { ...args, confirmation_id } };
    const minutes = one([1, 2, 5, 20, 45]);
    later.push({ at: stub.now() + minutes * 60_000, intent: confirming });
    if (random() < 0.2) later.push({ at: stub.now() + (minutes + 1) * 60_000, intent: confirming });
  }

  function send(intent: Intent): Recorded {
    const { role, tool, args } = intent;
    const body = JSON.stringify(args);
    const headers = {
      ...(role === null ? {} : { authorization: `Bearer ${stub.keys[role]}` }),
      'content-type': 'application/json',
      accept: '*/*',
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'en-GB,en;q=0.9',
      origin: 'https://app.example.test',
      referer: 'https://app.example.test/',
      'sec-fetch-mode': 'cors',
    };
    const path = `/api/v1/tools/${tool}`;
    const response = stub.handle({ method: 'POST', path, headers, body: Buffer.from(body) });
    remember(intent, JSON.parse(response.body));
    return {
      method: 'POST',
      url: `https://staging.example.test${path}`,
      requestHeaders: Object.entries(headers),
      requestBody: body,
      response: { status: response.status, headers: Object.entries(response.headers), text: response.body },
      sentAt: stub.now() - random() * 20,
      receivedAt: stub.now() + random() * 400,
    };
  }

  function* traffic(): Generator<Recorded> {
    for (let count = 0; count < exchanges; count += 1) {
      stub.advance((random() * 2 * weekMs) / exchanges / 1000);
      const due = later.findIndex(({ at }) => at <= stub.now());
      const [next] = due < 0 ? [] : later.splice(due, 1);
      yield send(next?.intent ?? something());
    }
  }
  const target = inProcess(stub, { shape: '1:1', baseUrl: 'https://staging.example.test' });
  return { traffic: traffic(), target };
}
