import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { Role } from '../../fixtures/roles.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Fields = Record<string, Json>;

export interface Item {
  kind: string;
  id: string;
  roll: string;
  title: string;
  pinned: boolean;
  source_board_name: string;
}

export type Account = 'harbour' | 'meadow' | 'quarry' | 'summit' | 'third';

/** A created piece. */
export type Piece = {
  piece_id: string;
  title: string;
  day: string;
};

export interface Workspace {
  pieces: Piece[];
  slug: string;
  boards: string[];
  items: Item[];
}

export interface Key {
  secret: string;
  role: Role;
  account: Account;
  reach: string[];
  pin?: string;
  fallback?: string;
  /** True for a revoked or expired key, which does not resolve. */
  dead?: boolean;
  /** Code of the 403 that the key always gets. */
  closed?: string;
  perMinute: number;
}

/** A proposal with its ID. */
export interface Proposal {
  id: string;
  account: Account;
  workspace: string;
  board: string;
  brief: string;
  count: number;
  shape: string;
  issued: number;
  used: boolean;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Fields;
}

export interface Resolved {
  slug: string;
  source: string;
}

/** A request on its way through the steps. Each step sets the members that later steps need. */
export interface Call {
  world: World;
  /** Names are in lower case. */
  headers: Record<string, string | undefined>;
  query: URLSearchParams;
  /** Rest of the path after `/api/v1/tools/`, as sent. */
  segment: string;
  raw: Buffer;
  /** Time in milliseconds. */
  now: number;
  key: Key;
  tool: ToolName;
  args: Fields;
  at: Resolved;
}

export interface World {
  keys: Record<Role, Key>;
  workspaces: Map<string, Workspace>;
  credits: Record<Account, number>;
  proposals: Map<string, Proposal>;
  /** Times of the served requests of each key, for the rate limit. */
  served: Map<string, number[]>;
  settings: Settings;
  /** Number that increases with each new ID. */
  serial: number;
  now(): number;
}

/** Settings that an operator of this server may change within the specification. */
export interface Settings {
  shapes: readonly string[];
  counts: readonly number[];
  brief: readonly [shortest: number, longest: number];
  title: { least: number; most: number };
  lifetimeMinutes: number;
  pageSize: number;
  price: number;
  confirmationId(serial: number): string;
}
