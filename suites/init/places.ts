import { body, isSuccess } from '../history/exchange.ts';
import type { Session } from '../session/session.ts';
import { type CandidateKey, keyFinder, read, withSession } from './probe.ts';

/** Boards by workspace, and a shape of images, as far as read-only requests show them. */
export interface Places {
  boards: Record<string, string>;
  /** A second board of each workspace. */
  otherBoards: Record<string, string>;
  shape: string | undefined;
}

/** Maximum number of library items to fetch per workspace. A full item may name its board. */
const mostItems = 2;

/**
 * Looks for boards and a shape in the results of read-only tools, with at most five requests per workspace. The
 * specification does not list most members, so their names decide.
 */
export async function findPlaces(
  baseUrl: string,
  key: CandidateKey,
  slugs: readonly string[],
  signal: AbortSignal,
): Promise<Places> {
  const holdsKey = keyFinder([key]);
  const places: Places = { boards: {}, otherBoards: {}, shape: undefined };
  await withSession(baseUrl, key, signal, async (session) => {
    for (const slug of slugs) {
      for (const result of await readAll(session, slug)) {
        const texts = textsIn(result).filter(({ text }) => !holdsKey(text));
        for (const { text } of texts.filter(isBoard)) {
          places.boards[slug] ??= text;
          if (text !== places.boards[slug]) places.otherBoards[slug] ??= text;
        }
        places.shape ??= texts.find(isShape)?.text;
      }
    }
  });
  return places;
}

async function readAll(session: Session, workspace: string): Promise<unknown[]> {
  const results: Record<string, unknown>[] = [];
  const add = async (tool: string, args: Record<string, string>) => {
    const answer = await read(session, tool, { workspace, ...args });
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
