import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed, header, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { marksOf, Redactor } from '../exchange/redactor.ts';
import { member } from '../json.ts';
import { Unanswered } from '../session/call.ts';
import { bearer } from '../session/credentials.ts';
import { Session } from '../session/session.ts';
import { targetOf } from '../target/define.ts';
import type { RoleKey } from '../target/target.ts';

/** A key without a known role. */
export interface CandidateKey {
  variable: string;
  key: string;
}

/** Facts that read-only requests show about one key. */
export type Probed = CandidateKey &
  (
    | { kind: 'refused' }
    | { kind: 'closed'; code: string; message: string }
    | {
        kind: 'served';
        /**
         * How the server resolved the workspace; `workspace_ambiguous` if it did not, null if the response does not
         * say.
         */
        source: string | null;
        /** Accessible workspaces, in the order of discovery. The one that the server resolved comes first. */
        reach: string[];
        /** Null if the balance is unknown or changes during the probe. */
        balance: number | null;
        /** 0 if the response names no rate limit. The specification shows no header for it. */
        limit: number;
      }
    | { kind: 'unclear'; why: string }
  );

type Served = Extract<Probed, { kind: 'served' }>;

/**
 * Finds out with read-only requests what each key can do. Then tries each key with every workspace that any response
 * named.
 */
export async function probe(baseUrl: string, keys: readonly CandidateKey[], signal: AbortSignal): Promise<Probed[]> {
  const probed: Probed[] = [];
  const holdsKey = keyFinder(keys);
  for (const key of keys) {
    const one = await withSession(baseUrl, key, signal, (read) => probeKey(read, key));
    const leaks = one.kind === 'served' && one.reach.some(holdsKey);
    probed.push(leaks ? { ...key, kind: 'unclear', why: 'a workspace in the response contains a key' } : one);
  }
  const served = probed.filter((one) => one.kind === 'served');
  const slugs = [...new Set(served.flatMap(({ reach }) => reach))];
  for (const one of served) await withSession(baseUrl, one, signal, (read) => widen(read, one, slugs));
  // Read balances twice, because spending by others makes the balances of one account differ.
  for (const one of served) one.balance = await withSession(baseUrl, one, signal, balanceOf);
  for (const one of served) {
    if (one.balance !== (await withSession(baseUrl, one, signal, balanceOf))) one.balance = null;
  }
  return probed;
}

/** Returns a test for slugs that contain one of the keys, or the mark that replaced the session's key. */
function keyFinder(keys: readonly CandidateKey[]): (slug: string) => boolean {
  const { redact } = new Redactor(new Map(keys.map(({ key, variable }) => [key, variable])));
  const marks = marksOf(['primary']);
  return (slug) => marks.test(slug) || redact(slug) !== slug;
}

/** Sends a request of a reading tool. */
type Read = (tool: string, args?: Record<string, string>) => Promise<Completed>;

async function withSession<T>(
  baseUrl: string,
  { key, variable }: CandidateKey,
  signal: AbortSignal,
  use: (read: Read) => Promise<T>,
): Promise<T> {
  // The role in this target does not matter, because the real role is unknown.
  const primary: RoleKey = { role: 'primary', key, variable };
  const target = targetOf({
    baseUrl,
    kind: 'url',
    keys: { primary },
    workspaces: [],
    allow: [],
    headers: [],
    secrets: [],
  });
  const session = new Session(target, signal, () => {});
  try {
    return await use((tool, args = {}) => session.send({ tool, credential: bearer(primary), args }));
  } finally {
    await session.close();
  }
}

async function probeKey(read: Read, key: CandidateKey): Promise<Probed> {
  const answer = await read('connections.status');
  const { status, json } = answer.response;
  if (status === 401) return { ...key, kind: 'refused' };
  if (status === 403) {
    return { ...key, kind: 'closed', code: textOf(json, 'error', 'code'), message: textOf(json, 'error', 'message') };
  }
  const ambiguous = isRefusal(answer, refusalCodes.workspaceAmbiguous);
  if (!ambiguous && !isSuccess(answer))
    return { ...key, kind: 'unclear', why: `the deployment responded with ${status}` };
  const { workspace, workspaces, working_in: workingIn } = body(answer);
  const named = typeof workspace === 'string' ? [workspace] : Array.isArray(workspaces) ? workspaces : [];
  const source = textOf(workingIn, 'source');
  return {
    ...key,
    kind: 'served',
    source: ambiguous ? refusalCodes.workspaceAmbiguous : source === '' ? null : source,
    reach: [...new Set(named.filter((slug) => typeof slug === 'string'))],
    balance: null,
    limit: limitIn(answer),
  };
}

/** The rate limit in a header that is common, such as `x-ratelimit-limit: 600` or `ratelimit-limit: 600, 600;w=60`. */
function limitIn(exchange: Completed): number {
  const value = header(exchange, 'x-ratelimit-limit') ?? header(exchange, 'ratelimit-limit') ?? '';
  const [digits = 0] = /^\d{1,9}\b/.exec(value) ?? [];
  return Number(digits);
}

async function balanceOf(read: Read): Promise<number | null> {
  const { balance } = body(await read('credits.balance'));
  return typeof balance === 'number' ? balance : null;
}

/** Adds the workspaces that a key can name to its accessible workspaces. */
async function widen(read: Read, served: Served, slugs: readonly string[]): Promise<void> {
  for (const workspace of slugs) {
    if (served.reach.includes(workspace)) continue;
    const answer = await read('connections.status', { workspace });
    if (isSuccess(answer) && body(answer).workspace === workspace) served.reach.push(workspace);
  }
}

function textOf(value: unknown, ...path: string[]): string {
  const text = member(value, ...path);
  return typeof text === 'string' ? text : '';
}

/** Boards by workspace, and a shape of images, as far as read-only requests show them. */
export interface Places {
  boards: Record<string, string>;
  otherBoards: Record<string, string>;
  shape: string | undefined;
}

/** Maximum number of library items to fetch per workspace. A full item may name its board. */
const mostItems = 2;

/**
 * Looks for boards and a shape in the results of read-only tools, with at most five requests per workspace, until the
 * deployment stops responding. The specification does not list most members, so their names decide.
 */
export async function findPlaces(
  baseUrl: string,
  searches: readonly (readonly [key: CandidateKey, slugs: readonly string[]])[],
  signal: AbortSignal,
): Promise<Places> {
  const places: Places = { boards: {}, otherBoards: {}, shape: undefined };
  const look = async (read: Read, slug: string, holdsKey: (text: string) => boolean): Promise<void> => {
    for (const result of await readAll(read, slug)) {
      const texts = textsIn(result).filter(({ text }) => !holdsKey(text));
      for (const { text } of texts.filter(isBoard)) {
        places.boards[slug] ??= text;
        if (text !== places.boards[slug]) places.otherBoards[slug] ??= text;
      }
      places.shape ??= texts.find(isShape)?.text;
    }
  };
  for (const [key, slugs] of searches) {
    const holdsKey = keyFinder([key]);
    await withSession(baseUrl, key, signal, async (read) => {
      for (const slug of slugs) await look(read, slug, holdsKey);
    }).catch((error: unknown) => {
      if (!(error instanceof Unanswered)) throw error;
    });
  }
  return places;
}

async function readAll(read: Read, workspace: string): Promise<unknown[]> {
  const results: Record<string, unknown>[] = [];
  const add = async (tool: string, args: Record<string, string>) => {
    const answer = await read(tool, { workspace, ...args });
    if (isSuccess(answer)) results.push(body(answer));
    return results.at(-1);
  };
  await add('schedule.read', {});
  await add('content.status', {});
  const { items } = (await add('library.search', { query: '' })) ?? {};
  for (const item of (Array.isArray(items) ? items : []).slice(0, mostItems)) {
    if (typeof item?.kind === 'string' && typeof item?.id === 'string') {
      await add('library.get', { kind: item.kind, id: item.id });
    }
  }
  return results;
}

interface NamedText {
  /** Name of the member, with the name of its object, such as `board.id`. */
  readonly path: string;
  readonly text: string;
}

function textsIn(value: unknown, path = ''): NamedText[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const last = path.split('.').at(-1) ?? '';
  return Array.isArray(value)
    ? value.flatMap((element) => textsIn(element, path))
    : Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${last}.${name}`));
}

const isBoard = ({ path, text }: NamedText) =>
  text !== '' && /(?:\.|_)board(?:_id)?$|\.(?:boardId|board_ids|boards)$|^boards?\.id$/.test(path);

const isShape = ({ path, text }: NamedText) =>
  /\.(?:shape|aspect_ratio)$/.test(path) && /^[1-9]\d?:[1-9]\d?$/.test(text);
