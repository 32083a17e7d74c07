import { argumentMoves } from './arguments.ts';
import { boundaryMoves } from './boundary.ts';
import { contentMoves } from './content.ts';
import { identifierMoves } from './identifiers.ts';
import { imageMoves } from './images.ts';
import type { Kind, Move, Scope } from './move.ts';
import { passingMoves } from './passing.ts';
import { Random } from './random.ts';
import { readingMoves } from './reading.ts';
import { type Coverage, Sweep } from './sweep.ts';

/** A short generated history: moves in order. */
interface GeneratedHistory {
  /** Number from 1, identical for equal seeds. */
  readonly number: number;
  readonly moves: readonly Move[];
}

const everything = [
  ...[readingMoves, argumentMoves, identifierMoves, boundaryMoves],
  ...[contentMoves, imageMoves, passingMoves],
].flat();

/** Focus of a history. */
const themes: readonly { readonly weight: number; readonly kinds: readonly Kind[] }[] = [
  { weight: 3, kinds: [...imageMoves, ...passingMoves] },
  { weight: 2, kinds: [...argumentMoves, ...identifierMoves] },
  { weight: 2, kinds: [...readingMoves, ...contentMoves] },
  { weight: 1, kinds: boundaryMoves },
  { weight: 3, kinds: everything },
];

/** Maximum that all histories of a run use together. */
export interface Most {
  readonly requests: number;
  readonly images: number;
  readonly creates: number;
}

/**
 * Histories of a run, which depend only on the seed. Half of the requests try leniencies until
 * all are tried. The other requests are random.
 */
export class Histories {
  readonly #scope: Omit<Scope, 'random' | 'proposals'>;
  readonly #options: { readonly seed: number; readonly most: Most };
  readonly #sweep: Sweep;

  constructor(scope: Omit<Scope, 'random' | 'proposals'>, options: { readonly seed: number; readonly most: Most }) {
    this.#scope = scope;
    this.#options = options;
    this.#sweep = new Sweep(scope, options.seed);
  }

  get coverage(): Coverage {
    return this.#sweep.coverage;
  }

  *[Symbol.iterator](): Generator<GeneratedHistory> {
    const { seed, most } = this.#options;
    const used = { requests: 0, images: 0, creates: 0 };
    let swept = 0;
    for (let number = 1; used.requests < most.requests; number += 1) {
      const left = most.requests - used.requests;
      const trials = 2 * swept <= used.requests ? this.#sweep.next(number)?.slice(0, left) : undefined;
      const random = new Random(seed, `history ${number}`);
      const moves = trials ?? generate({ ...this.#scope, random, proposals: [] }, used, most);
      if (trials !== undefined) {
        swept += trials.length;
        used.requests += trials.length;
      }
      if (moves.length > 0) yield { number, moves };
      // Otherwise, a deployment that allows almost nothing keeps the generator running forever.
      if (moves.length === 0) used.requests += 1;
    }
  }
}

type Used = { -readonly [name in keyof Most]: Most[name] };

/** Generates the moves of one history within the limits. */
function generate(scope: Scope, used: Used, most: Most): Move[] {
  const { kinds } = scope.random.weighted(themes);
  const moves: Move[] = [];
  // Spread scarce resources over all histories, so that expensive moves are as likely as cheap ones.
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

/** Images and content requests that the first histories may use at once. */
const spare = 4;
