import { type Format, formats } from '../../fixtures/contract/enums.ts';
import { weekdayOf } from '../server/state/calendar.ts';
import type { Board, Connections, Item, Passage, Piece } from './data.ts';
import type { Cadence, WorkspaceContent } from './model.ts';
import { type Choices, digest, seededChoices, type WriteId } from './random.ts';

/** Values of this stub. The specification does not show any ("Library item", "Connections status result"). */
const kinds = ['image', 'clip', 'article', 'story'] as const;
const rolls = ['campaign', 'evergreen', 'archive', 'b_roll'] as const;
const providers = ['instagram', 'youtube', 'linkedin', 'tiktok', 'pinterest', 'wordpress', 'mailchimp'] as const;
const platforms = ['instagram', 'youtube', 'linkedin', 'tiktok', 'wordpress'] as const;
const earlyStates = ['idea', 'drafting', 'in_review', 'scheduled'] as const;

const adjectives = ['Quiet', 'Bright', 'Handmade', 'Northern', 'Everyday', 'Small', 'Golden', 'Patient'] as const;
const products = ['lamp', 'teapot', 'raincoat', 'notebook', 'bicycle', 'chair', 'keyboard', 'bread', 'soap'] as const;
const materials = ['oak', 'linen', 'steel', 'clay', 'wool', 'cotton', 'glass'] as const;
const cities = ['Lisbon', 'Oslo', 'Ghent', 'Porto', 'Graz', 'Turku', 'Lyon', 'Galway'] as const;
const names = ['Ada', 'Bruno', 'Chiara', 'Dmitri', 'Esra', 'Femi', 'Greta', 'Hugo'] as const;
const families = ['Alder', 'Birch', 'Cedar', 'Hazel', 'Linden', 'Rowan', 'Willow'] as const;
const trades = ['Studio', 'Works', 'Supply', 'Press', 'Collective'] as const;
const tags = ['spring', 'launch', 'how-to', 'team', 'customer'] as const;

/** Default number of IDs in the library of a workspace. */
export const usualSize = 16;

/** Most days whose pieces are kept. */
const mostDays = 100;

interface WorkspaceOrigin {
  readonly seed: number;
  readonly slug: string;
  readonly writeId: WriteId;
  /** Number of IDs in the library. */
  readonly size: number;
}

/** Generates the contents of a workspace. Workspaces with the same origin have the same contents. */
export function makeWorkspace({ seed, slug, writeId, size }: WorkspaceOrigin): WorkspaceContent {
  const part = (name: string): Choices => seededChoices(seed, name, slug);
  const id = (kind: string, what: string, length: number, ...parts: readonly string[]): string =>
    writeId(kind, digest(seed, what, slug, ...parts).slice(0, length));
  const boards = makeBoards(part('boards'), (index) => id('brd', 'board', 12, String(index)));
  const cadence = makeCadence(part('cadence'));
  const forTitles = part('titles');
  const titles = Array.from({ length: 40 }, () => makeTitle(forTitles));
  const planned = new Map<string, Piece[]>();
  return {
    slug,
    name: companyName(part('name')),
    boards,
    library: makeLibrary(part('library'), size, (index) => id('item', 'item', 8, String(index)), boards),
    knowledge: makeKnowledge(part('knowledge'), Math.ceil(size * 0.375)),
    connections: makeConnections(part('connections')),
    cadence,
    piecesOn: (day) => {
      // Generating the pieces of a week takes longer than the rest of a response.
      if (planned.size >= mostDays) planned.clear();
      const pieces =
        planned.get(day) ??
        piecesOn(day, cadence, titles, digest(seed, 'day', slug, day), (index) =>
          id('pc', 'piece', 14, day, String(index)),
        );
      planned.set(day, pieces);
      return pieces;
    },
  };
}

export function companyName({ one }: Choices): string {
  return `${one(families)} ${one(trades)}`;
}

function makeTitle({ one }: Choices): string {
  return one([
    () => `Behind the scenes: ${one(adjectives)} ${one(products)}`,
    () => `Five questions about a ${one(products)}`,
    () => `${one(adjectives)} mornings with a ${one(materials)} ${one(products)}`,
    () => `${one(adjectives)} ${one(products)} in ${one(cities)}`,
  ])();
}

function describeProduct({ one }: Choices): string {
  return `A ${one(adjectives).toLowerCase()} ${one(products)} of ${one(materials)}, made in ${one(cities)}.`;
}

type IdOf = (index: number) => string;

function makeBoards({ one }: Choices, idOf: IdOf): [Board, ...Board[]] {
  const board = (index: number): Board => ({ id: idOf(index), name: `${one(adjectives)} ${one(products)}s` });
  return [board(0), board(1), board(2)];
}

/** Every third ID has one kind, the others two or three, because IDs are not unique across kinds ("Library item"). */
function makeLibrary(choices: Choices, size: number, idOf: IdOf, boards: readonly [Board, ...Board[]]): Item[] {
  const { one, some, integer } = choices;
  return Array.from({ length: size }, (_, index) =>
    some(kinds, 1 + (index % 3)).map((kind) => ({
      kind,
      id: idOf(index),
      roll: one(rolls),
      title: makeTitle(choices),
      pinned: integer(1, 5) === 1,
      source_board_name: one(boards).name,
      description: describeProduct(choices),
      tags: some(tags, 2),
    })),
  ).flat();
}

function makeKnowledge(choices: Choices, rounds: number): Passage[] {
  const { one } = choices;
  const passages = (): Passage[] => [
    {
      source: 'Brand voice guide',
      excerpt: `We write about a ${one(products)} plainly: ${one(adjectives).toLowerCase()}, without shouting.`,
    },
    { source: `Product sheet: ${one(adjectives)} ${one(products)}`, excerpt: describeProduct(choices) },
    {
      source: 'Customer interviews',
      excerpt: `${one(names)} from ${one(cities)} asks for ${one(materials)} every season.`,
    },
    {
      source: 'Publishing rules',
      excerpt: `Posts about a ${one(products)} from ${one(cities)} go out in the morning and never carry prices.`,
    },
  ];
  const prices = { source: 'Price list', excerpt: 'What we say about a price is the same everywhere.' };
  return [prices, ...Array.from({ length: rounds }, passages).flat()];
}

function makeConnections({ some, one, integer }: Choices): Connections {
  const shuffled = some(providers, providers.length);
  const entry = (provider: string, problem: string | null) => ({
    provider,
    account_name: `${one(names)}_${integer(10, 99)}`.toLowerCase(),
    problem,
  });
  return {
    connected: shuffled.slice(0, 3).map((provider) => entry(provider, null)),
    needs_attention: shuffled
      .slice(3, 4)
      .map((provider) => entry(provider, 'The permission has run out: sign in again.')),
    available: shuffled.slice(4).map((provider) => ({ provider, account_name: null, problem: null })),
  };
}

/** Generates two to four slots for each day of the week, at random times so that workspaces differ. */
function makeCadence({ integer, one, some }: Choices): Cadence {
  const elect = (): string[] => some(platforms, 1, 3);
  return {
    slots: [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) =>
      some(formats, 2, 4).map((format) => ({ weekday, minute: integer(7 * 12, 20 * 12) * 5, format })),
    ),
    usualMinute: integer(8, 18) * 60 + 15,
    platforms: { posts: elect(), stories: elect(), shorts_clips: elect(), long_form: elect(), articles: elect() },
    openWeeks: one([0, 2, 4]),
  };
}

/** Returns the pieces of a day. About half of the slots have a piece, as the digits decide. */
function piecesOn(day: string, cadence: Cadence, titles: readonly string[], digits: string, idOf: IdOf): Piece[] {
  const weekday = weekdayOf(day);
  return cadence.slots
    .filter((slot) => slot.weekday === weekday)
    .flatMap(({ format, minute }, index) => {
      const roll = Number.parseInt(digits.slice(index * 8, index * 8 + 8), 16);
      if (roll % 2 === 0) return [];
      const number = roll >>> 1;
      return {
        piece_id: idOf(index),
        title: number % 9 === 0 ? null : (titles[number % titles.length] ?? null),
        format,
        state: earlyStates[number % earlyStates.length] ?? 'idea',
        scheduled_for: timeOn(day, minute),
        platforms: cadence.platforms[format],
      };
    });
}

/**
 * ISO 8601 UTC time of a minute of a day, for example `2026-03-02T09:30:00.000Z`. Throws a RangeError if the day does
 * not exist.
 */
export function timeOn(day: string, minute: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000).toISOString();
}

/** Times of the slots of a cadence for a format on a day, the earliest first. */
export function slotTimes({ slots }: Cadence, day: string, format: Format): string[] {
  const weekday = weekdayOf(day);
  return slots
    .filter((slot) => slot.weekday === weekday && slot.format === format)
    .map(({ minute }) => timeOn(day, minute))
    .sort();
}
