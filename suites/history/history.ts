import { isRole, type Role } from '../../fixtures/roles.ts';
import type { Exchange, KeyName } from './exchange.ts';

/** What is known of a history beside its exchanges. A rule that needs what is not known does not apply. */
export interface Knowledge {
  /** Every exchange since its beginning is in it, and nobody changed meanwhile what is there, or what a key may do. */
  readonly complete: boolean;
  /** Nobody else used the accounts, or moved the clock, meanwhile. */
  readonly onlyClient: boolean;
  /** How far the deployment's clock was moved is known. */
  readonly clock: boolean;
  /** Somebody else may move it too, so that a live id may be found dead now and then. */
  readonly clockShared: boolean;
  /** Which role each key plays is known. */
  readonly roles: boolean;
  /** Headers of requests and responses are as they were sent. */
  readonly headers: boolean;
  /** The account of each role, where it is not that of `primary`. */
  readonly accounts: Readonly<Partial<Record<Role, string>>>;
  /** When it began, in milliseconds since 1970. */
  readonly startedAt?: number;
  /**
   * Workspaces that the configuration names, or that a refusal listed, by account; `own` is that of `primary`, which
   * reaches them.
   */
  readonly workspaces: readonly { readonly account: string; readonly workspace: string }[];
  /** Where boards are known to be, by workspace. */
  readonly boards: readonly { readonly account: string; readonly workspace: string; readonly board: string }[];
  /** What a person approved, denied and picked is in the history; absent where that is not known. */
  readonly person?: boolean;
  /** How the client was run, where it was run as a command. */
  readonly run?: ClientRun;
}

/** One run of a client as a command. */
export interface ClientRun {
  readonly scenario: string;
  /** What sets the scenario apart, as far as runs are compared. */
  readonly kind: 'plain' | 'unknown-fields' | 'other';
  /** Null where the client was stopped, because it took too long. */
  readonly exitCode: number | null;
  /** The end of what it printed, with marks in the place of keys. */
  readonly output?: string;
}

/** The account of a key, as far as its role tells; undefined where it may be another one than that of `primary`. */
export function accountOf(role: KeyName | null, { accounts }: Knowledge): string | undefined {
  if (role === 'primary' || role === 'throttled') return 'own';
  return role !== null && isRole(role) ? accounts[role] : undefined;
}

/** Whether a board is known to be in a workspace that a key names; two accounts may have workspaces of one slug. */
export function hasBoard(role: KeyName | null, workspace: unknown, board: unknown, knowledge: Knowledge): boolean {
  const its = accountOf(role, knowledge);
  const accounts = new Set(
    knowledge.workspaces.filter((each) => each.workspace === workspace).map((each) => each.account),
  );
  const isThere = knowledge.boards.filter((each) => each.workspace === workspace && each.board === board);
  return isThere.some(({ account }) => (its === undefined ? accounts.size < 2 : account === its));
}

/** The account of a key where its role tells, otherwise the key itself: ids are told apart within it. */
export function ownerOf(role: KeyName | null, { accounts }: Knowledge): string {
  return role !== null && isRole(role) ? (accounts[role] ?? 'own') : String(role);
}

/** Whether two keys are different, and it is not known of both whose they are. */
export function areStrangers(one: KeyName | null, other: KeyName | null): boolean {
  if (one === null || other === null) return true;
  return one !== other && !(isRole(one) && isRole(other));
}

/** Whether two keys may be of two accounts, which may have the same ids. */
export function mayDiffer(one: KeyName | null, other: KeyName | null, knowledge: Knowledge): boolean {
  return areStrangers(one, other) || ownerOf(one, knowledge) !== ownerOf(other, knowledge);
}

interface Dated {
  /** Place in the history, counted together with exchanges. */
  readonly number: number;
  /** Milliseconds since the beginning of the history. */
  readonly at: number;
}

export const personActs = ['approved', 'denied', 'picked'] as const;
export type PersonAct = (typeof personActs)[number];

/** What a person said of a proposal, or which workspace a person chose. */
export interface PersonEvent extends Dated {
  readonly kind: 'person';
  readonly act: PersonAct;
  /** A confirmation id or the slug of a workspace. */
  readonly subject: string;
}

/** Something was done to the deployment from outside: a clock moved, a key revoked. */
export interface ChangeEvent extends Dated {
  readonly kind: 'change';
  readonly what: string;
}

export type HistoryEvent = PersonEvent | ChangeEvent;

/** What happened, in the order in which responses were received. It is plain data, and holds no secret. */
export interface History {
  readonly knowledge: Knowledge;
  readonly exchanges: readonly Exchange[];
  /** What happened beside them, as far as it is known. */
  readonly events?: readonly HistoryEvent[];
}
