import type { Shard } from '../shard.ts';
import { argumentMoves } from './arguments.ts';
import { boundaryMoves } from './boundary.ts';
import { contentMoves } from './content.ts';
import { imageMoves } from './images.ts';
import type { Kind, Move, Scope } from './move.ts';
import { passingMoves } from './passing.ts';
import { Random } from './random.ts';
import { readingMoves } from './reading.ts';

/** A short history that is generated: what is done, in order. */
export interface GeneratedHistory {
  /** From 1, the same for the same seed in every shard. */
  readonly number: number;
  readonly moves: readonly Move[];
}

const everything = [readingMoves, argumentMoves, boundaryMoves, contentMoves, imageMoves, passingMoves].flat();

/** What a history is mostly about. */
const themes: readonly { readonly weight: number; readonly kinds: readonly Kind[] }[] = [
  { weight: 3, kinds: [...imageMoves, ...passingMoves] },
  { weight: 2, kinds: argumentMoves },
  { weight: 2, kinds: [...readingMoves, ...contentMoves] },
  { weight: 1, kinds: boundaryMoves },
  { weight: 3, kinds: everything },
];

/** The most that all histories of a run together leave behind on a deployment. */
export interface Most {
  readonly requests: number;
  readonly images: number;
  readonly creates: number;
}

/** The histories of a run, or of one shard of it: the same for the same seed. */
export function* histories(
  scope: Omit<Scope, 'random' | 'proposals'>,
  { seed, most, shard = { index: 1, of: 1 } }: { seed: number; most: Most; shard?: Shard },
): Generator<GeneratedHistory> {
  const used = { requests: 0, images: 0, creates: 0 };
  for (let number = 1; used.requests < most.requests; number += 1) {
    const random = new Random(seed, `history ${number}`);
    const moves = generate({ ...scope, random, proposals: [] }, used, most);
    if (moves.length > 0 && number % shard.of === shard.index % shard.of) yield { number, moves };
    // A deployment that allows next to nothing must not keep a run generating for ever.
    if (moves.length === 0) used.requests += 1;
  }
}

type Used = { -readonly [name in keyof Most]: Most[name] };

/** The moves of one history, as far as there is room for them. */
function generate(scope: Scope, used: Used, most: Most): Move[] {
  const { kinds } = scope.random.weighted(themes);
  const moves: Move[] = [];
  // What is rare is spread over all histories, and what costs much is as likely as what costs little.
  const isRoomFor = (cost: number, sofar: number, total: number) =>
    cost === 0 || (sofar + cost <= total && sofar < spare + (total * used.requests) / most.requests);
  for (let tries = scope.random.between(4, 14); tries > 0; tries -= 1) {
    const move = scope.random.weighted(kinds).make(scope);
    if (move === undefined) continue;
    const { requests, images = 0, creates = 0 } = move;
    if (used.requests + requests > most.requests) continue;
    if (!isRoomFor(images, used.images, most.images) || !isRoomFor(creates, used.creates, most.creates)) continue;
    used.requests += requests;
    used.images += images;
    used.creates += creates;
    moves.push(move);
  }
  return moves;
}

/** Images and content requests that the first histories have at once. */
const spare = 4;
