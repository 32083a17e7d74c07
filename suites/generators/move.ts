import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Proposal } from '../topics/requests/proposals.ts';
import type { Steps, TestedDeployment } from '../topics/steps.ts';
import type { Random } from './random.ts';

/** Context of a move: the steps of a story, and the history's proposals by name. */
export interface Play {
  readonly t: Steps;
  readonly proposals: Map<string, Proposal>;
}

/** One action of a generated history. It refers to proposals by name. */
export interface Move {
  readonly title: string;
  /** Maximum number of requests. */
  readonly requests: number;
  /** Maximum number of images that it confirms and of content requests that it creates. */
  readonly images?: number;
  readonly creates?: number;
  play(play: Play): Promise<unknown>;
}

/** Input for generating moves. It does not depend on responses to generated requests. */
export interface Scope {
  readonly random: Random;
  readonly deployment: TestedDeployment;
  /** Roles with a key. */
  readonly roles: readonly Role[];
  readonly allows: (effect: Effect) => boolean;
  /** True if time can pass. */
  readonly time: boolean;
  /** Names of the history's proposals so far. */
  readonly proposals: string[];
}

/** A kind of move. `make` returns undefined if the deployment or the permissions exclude it. */
export interface Kind {
  readonly weight: number;
  make(scope: Scope): Move | undefined;
}
