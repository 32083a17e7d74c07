import type { Role } from '../../../fixtures/roles.ts';

/** The request that the person approved. It runs even if the confirming request differs ("Confirmation", rule 1). */
export interface ImageRequest {
  readonly board: string;
  readonly brief: string;
  readonly count: number;
  readonly shape: string;
}

export interface Confirmation {
  readonly id: string;
  readonly request: ImageRequest;
  /** Slug of the workspace of the proposal. */
  readonly workspace: string;
  readonly account: string;
  /** Role of the key that made the proposal. */
  readonly role: Role;
  /** Summary for the person who approves the request. */
  readonly summary: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

/** Unused confirmations by ID, the oldest first. The ID of a used confirmation is like one that was never issued. */
export type Confirmations = Map<string, Confirmation>;
