import type { Role } from '../../fixtures/roles.ts';
import type { Exchange } from './exchange.ts';

/** What is known of a history beside its exchanges. A rule that needs what is not known does not apply. */
export interface Knowledge {
  /** Every exchange since its beginning is in it. */
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
  /** Workspaces that the configuration names, or that a refusal listed, by account; `own` is that of `primary`, which reaches them. */
  readonly workspaces: readonly { readonly account: string; readonly workspace: string }[];
  /** Where boards are known to be, by workspace. */
  readonly boards: readonly { readonly account: string; readonly workspace: string; readonly board: string }[];
}

/** The account of a key, as far as its role tells; undefined where it may be another one than that of `primary`. */
export function accountOf(role: Role | null, { accounts }: Knowledge): string | undefined {
  if (role === 'primary' || role === 'throttled') return 'own';
  return role === null ? undefined : accounts[role];
}

/** What happened, in the order in which responses were received. It is plain data, and holds no secret. */
export interface History {
  readonly knowledge: Knowledge;
  readonly exchanges: readonly Exchange[];
}
