import type { JsonObject } from './json.ts';
import type { OtherServerOptions } from './options.ts';
import { createRandom, type Random } from './random.ts';

export const roles = [
  'primary',
  'ambiguous',
  'pinned',
  'defaulted',
  'sole',
  'otherAccount',
  'revoked',
  'expired',
  'withoutAccess',
  'accountSwitchOff',
  'platformSwitchOff',
  'throttled',
] as const;
export type Role = (typeof roles)[number];

export interface Account {
  name: string;
  balance: number;
  switchOn: boolean;
}
export interface Item {
  kind: string;
  id: string;
  title: string;
  roll: string;
  pinned: boolean;
  source_board_name: string;
}
export interface Workspace {
  slug: string;
  account: Account;
  boards: { id: string; name: string }[];
  items: Item[];
  pieces: JsonObject[];
}
export interface Key {
  role: Role;
  secret: string;
  state: 'good' | 'revoked' | 'expired';
  account: Account;
  reaches: readonly Workspace[];
  pin?: Workspace;
  fallback?: Workspace;
  hasAccess: boolean;
  platformOn: boolean;
}
export interface Confirmation {
  id: string;
  key: Key;
  workspace: Workspace;
  request: { board: string; brief: string; count: number; shape: string };
  issuedAt: number;
  used: boolean;
}
export interface Counters {
  requestsByRole: Record<Role | 'none', number>;
  imagesConfirmed: number;
  contentRequestsCreated: number;
  proposals: number;
}

/** Complete state of one server. */
export interface World {
  options: OtherServerOptions;
  random: Random;
  workspaces: Map<string, Workspace>;
  keys: Map<string, Key>;
  confirmations: Map<string, Confirmation>;
  counters: Counters;
  balanceReads: number;
  /** Returns milliseconds since 1970; `advance` adds to them. */
  now(): number;
  advance(seconds: number): void;
  nextId(prefix: string): string;
}

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`the world has no ${what}`);
  return value;
};

/** Keys use the whole alphabet of bearer tokens (RFC 6750, section 2.1), including padding. */
const keyAlphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/';

/** Creates the state, with two or more accounts and one key per role. */
export const createWorld = (options: OtherServerOptions): World => {
  const random = createRandom(options.seed);
  let offset = 0;
  let issued = 4_000 + random.integer(1000);
  const nextId = (prefix: string) => {
    issued += 1 + random.integer(9);
    return options.numericIds ? String(issued) : `${prefix}-${issued.toString(36)}${random.text(6)}`;
  };

  const workspaces = new Map<string, Workspace>();
  const openAccount = (name: string, balance: number, slugs: readonly string[], switchOn = true) => {
    const account: Account = { name, balance: balance + (options.balanceFraction ? 0.5 : 0), switchOn };
    for (const slug of slugs) {
      const boards = ['Front', 'Back', 'Attic'].map((board, index) => ({
        id: options.boardIdsRepeat ? String(index + 1) : nextId('board'),
        name: `${board} of ${slug}`,
      }));
      const workspace: Workspace = { slug, account, boards, items: [], pieces: [] };
      if (!options.emptyLibrary) workspace.items.push(...libraryOf(nextId, boards[0]?.name ?? slug));
      workspaces.set(slug, workspace);
    }
    return account;
  };
  const harbour = openAccount('harbour', 91_204, ['q', '42', 'night-shift', 'Harbour_2', 'zz.archive']);
  const quarry = openAccount('quarry', 60_017, ['glasshouse', 'annex']);
  const hermit = openAccount('hermit', 777, ['solo']);
  const closed = openAccount('closed', 5, ['shut', 'shut-too'], false);
  const at = (...slugs: string[]) => slugs.map((slug) => found(workspaces.get(slug), slug));

  const mine = at('q', '42', 'night-shift');
  const reached = (...slugs: string[]) => (options.reach === 'same' ? mine : at(...slugs));
  const pin = options.reach === 'same' ? '42' : 'zz.archive';
  const fallback = options.reach === 'same' ? '42' : 'Harbour_2';
  const sole = options.soleAccount === 'own' ? at('solo') : at(options.reach === 'same' ? 'q' : 'zz.archive');

  const keys = new Map<string, Key>();
  const mint = (role: Role, account: Account, reaches: readonly Workspace[], more: Partial<Key> = {}) => {
    const secret = `K${random.text(38, keyAlphabet)}z=`;
    keys.set(secret, { role, secret, state: 'good', account, reaches, hasAccess: true, platformOn: true, ...more });
  };
  const first = found(mine[0], 'workspace');
  if (options.primaryIs === 'sole') mint('primary', harbour, [first]);
  else if (options.primaryIs === 'pinned') mint('primary', harbour, mine, { pin: first });
  else if (options.primaryIs === 'defaulted') mint('primary', harbour, mine, { fallback: first });
  else mint('primary', harbour, mine);
  mint('ambiguous', harbour, reached('Harbour_2', 'night-shift', 'zz.archive'));
  mint('pinned', harbour, reached('q', 'night-shift', 'zz.archive'), { pin: found(workspaces.get(pin), pin) });
  mint('defaulted', harbour, reached('42', 'Harbour_2'), { fallback: found(workspaces.get(fallback), fallback) });
  mint('sole', options.soleAccount === 'own' ? hermit : harbour, sole);
  mint('otherAccount', quarry, at('glasshouse', 'annex'));
  mint('revoked', harbour, mine, { state: 'revoked' });
  mint('expired', harbour, mine, { state: 'expired' });
  mint('withoutAccess', harbour, mine, { hasAccess: false });
  mint('accountSwitchOff', closed, at('shut', 'shut-too'));
  mint('platformSwitchOff', harbour, mine, { platformOn: false });
  mint('throttled', harbour, reached('Harbour_2', 'zz.archive'));

  const requestsByRole: Counters['requestsByRole'] = {
    ...{ none: 0, primary: 0, ambiguous: 0, pinned: 0, defaulted: 0, sole: 0, otherAccount: 0, revoked: 0 },
    ...{ expired: 0, withoutAccess: 0, accountSwitchOff: 0, platformSwitchOff: 0, throttled: 0 },
  };
  return {
    options,
    random,
    workspaces,
    keys,
    confirmations: new Map(),
    counters: { requestsByRole, imagesConfirmed: 0, contentRequestsCreated: 0, proposals: 0 },
    balanceReads: 0,
    now: () => options.now() + offset,
    advance(seconds) {
      offset += seconds * 1000;
    },
    nextId,
  };
};

/** Returns seven items of three kinds with shared IDs, because an ID is unique only within its kind. */
const libraryOf = (nextId: (prefix: string) => string, board: string): Item[] => {
  const ids = [nextId('item'), nextId('item'), nextId('item')];
  const kinds = ['picture', 'clip', 'note'];
  const titles = ['Ebb tide', 'Winter timetable', 'Fähre "Ümit" 🛳', 'Rope & knots', 'Ebb again', 'Low light', 'Crates'];
  return titles.map((title, index) => ({
    kind: kinds[index % 3] ?? 'note',
    id: ids[Math.floor(index / 3)] ?? '0',
    title,
    roll: index % 2 === 0 ? 'a-roll' : 'b-roll',
    pinned: index === 2,
    source_board_name: board,
  }));
};
