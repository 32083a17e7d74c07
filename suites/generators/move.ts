import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Proposal } from '../flows/images.ts';
import type { Known, Steps } from '../flows/steps.ts';
import type { Random } from './random.ts';

/** What a move is played with: a flow's steps, and the proposals that the history has made so far, by their names. */
export interface Play {
  readonly t: Steps;
  readonly proposals: Map<string, Proposal>;
}

/** One thing that a generated history does. It names proposals, so that it can be played again with fresh ids. */
export interface Move {
  readonly title: string;
  /** The most requests that it sends. */
  readonly requests: number;
  /** The most images that it could confirm, and the most content requests that it creates. */
  readonly images?: number;
  readonly creates?: number;
  /** The name of the proposal that it makes, or that it is about. */
  readonly proposes?: string;
  readonly about?: string;
  play(play: Play): Promise<unknown>;
  /** The same with less: fewer repetitions, shorter texts. */
  simpler?(): readonly Move[];
}

/** What moves are generated from; nothing of it depends on a response of the exploration itself. */
export interface Scope {
  readonly random: Random;
  readonly known: Known;
  /** Keys that there are. */
  readonly roles: readonly Role[];
  readonly allows: (effect: Effect) => boolean;
  /** Time can pass. */
  readonly time: boolean;
  /** Names of the proposals that the history has made so far. */
  readonly proposals: string[];
}

/** A kind of move; undefined where the deployment, or what is allowed, leaves no room for it. */
export interface Kind {
  readonly weight: number;
  make(scope: Scope): Move | undefined;
}
