import { isRole, type Role } from '../../fixtures/roles.ts';
import type { Exchange, KeyName } from './exchange.ts';

/** Facts about a history beyond its exchanges. A rule does not apply if it needs an unknown fact. */
export interface Knowledge {
  /**
   * True if every exchange since the start is present, and content and permissions changed in no other way. Always true
   * in a run, and false for most recorded traffic.
   */
  readonly complete: boolean;
  /** True if the history states how far the deployment's clock was advanced. */
  readonly clock: boolean;
  /** True if another client may move the clock too, so that a valid ID may expire early. */
  readonly clockShared: boolean;
  /** True if the role of each key is known. */
  readonly roles: boolean;
  /** True if request and response headers are recorded as they were sent. */
  readonly headers: boolean;
  /** Account of each role that does not share the account of `primary`. */
  readonly accounts: Readonly<Partial<Record<Role, string>>>;
  /** Start of the history, in milliseconds since 1970. */
  readonly startedAt?: number;
  /**
   * Workspaces from the configuration or from refusals, by account. `own` is the account of `primary`, which can access
   * its workspaces.
   */
  readonly workspaces: readonly { readonly account: string; readonly workspace: string }[];
  /** Known boards, by workspace. */
  readonly boards: readonly { readonly account: string; readonly workspace: string; readonly board: string }[];
  /** True if the history includes what a person approved, denied and picked; absent if unknown. */
  readonly person?: boolean;
  /** Run of the client, if the client ran as a command. */
  readonly run?: ClientRun;
}

export interface ClientRun {
  readonly scenario: string;
  /** Kind of scenario, for comparisons between runs. */
  readonly kind: 'plain' | 'unknown-fields' | 'other-server' | 'other';
  /** Null if the client was stopped because it took too long. */
  readonly exitCode: number | null;
  /** Output of the client, with marks in place of keys. */
  readonly output?: string;
  /** Whether only the end of the output is known. */
  readonly isCut?: boolean;
  /** Files in the working folder into which the client wrote a key. */
  readonly filesWithKeys?: readonly string[];
}

/** Returns the account of a key by its role; undefined if the account may differ from that of `primary`. */
export function accountOf(role: KeyName | null, { accounts }: Knowledge): string | undefined {
  if (role === 'primary' || role === 'throttled') return 'own';
  return role !== null && isRole(role) ? accounts[role] : undefined;
}

/**
 * Returns whether a workspace is known to have this board, for a key. Workspaces of different accounts may share a
 * slug.
 */
export function hasBoard(role: KeyName | null, workspace: unknown, board: unknown, knowledge: Knowledge): boolean {
  const its = accountOf(role, knowledge);
  const accounts = new Set(
    knowledge.workspaces.filter((entry) => entry.workspace === workspace).map((entry) => entry.account),
  );
  const isThere = knowledge.boards.filter((entry) => entry.workspace === workspace && entry.board === board);
  return isThere.some(({ account }) => (its === undefined ? accounts.size < 2 : account === its));
}

/** Returns the owner of IDs: the account if the key's role is known, otherwise the key itself. */
export function ownerOf(role: KeyName | null, { accounts }: Knowledge): string {
  return role !== null && isRole(role) ? (accounts[role] ?? 'own') : String(role);
}

/** Returns whether two keys may differ and at least one of their roles is unknown. */
export function areStrangers(one: KeyName | null, other: KeyName | null): boolean {
  if (one === null || other === null) return true;
  return one !== other && !(isRole(one) && isRole(other));
}

/** Returns whether two keys may belong to different accounts, in which equal IDs may exist. */
export function mayDiffer(one: KeyName | null, other: KeyName | null, knowledge: Knowledge): boolean {
  return areStrangers(one, other) || ownerOf(one, knowledge) !== ownerOf(other, knowledge);
}

interface Dated {
  /** Position in the history, counted together with exchanges. */
  readonly number: number;
  /** Milliseconds since the start of the history. */
  readonly at: number;
}

const personActs = ['approved', 'denied', 'picked'] as const;
export type PersonAct = (typeof personActs)[number];

/** A person's decision about a proposal, or choice of a workspace. */
interface PersonEvent extends Dated {
  readonly kind: 'person';
  readonly act: PersonAct;
  /** Confirmation ID, or slug of a workspace. */
  readonly subject: string;
}

/** Change to the deployment from outside, such as an advanced clock or a revoked key. */
interface ChangeEvent extends Dated {
  readonly kind: 'change';
  readonly what: string;
}

export type HistoryEvent = PersonEvent | ChangeEvent;

/** Exchanges and events in the order in which responses arrived. A history is plain data without secrets. */
export interface History {
  readonly knowledge: Knowledge;
  readonly exchanges: readonly Exchange[];
  /** Known events other than exchanges. */
  readonly events?: readonly HistoryEvent[];
}
