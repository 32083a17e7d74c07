import { type Completed, precedes } from '../../history/exchange.ts';
import { differingParts, type Parts } from '../match/parts.ts';

/** Repetitions, in turn, that a difference must survive before it counts. */
export const confirmingRounds = 6;

const mostRemembered = confirmingRounds + 2;

/** Of all groups together; later ones are not remembered, so that nothing is said of them. */
const mostResponses = 4000;

/** The parts of a response that must be the same as those of the other one. */
export type PartsOf = (exchange: Completed, other: Completed) => Parts;

interface Group {
  readonly causes: Map<string, Completed[]>;
  /** The same by kind of cause: what changes from one kind to another does not change by itself. */
  readonly kinds: Map<string, Completed[]>;
  /** Parts that change by themselves, until another response is remembered. */
  readonly volatile: Map<PartsOf, Set<string>>;
}

/** How the responses to one cause differ from those to another. */
export interface Difference {
  readonly parts: readonly string[];
  readonly one: Completed;
  readonly other: Completed;
  /** It held over so many repetitions that chance is ruled out. */
  readonly certain: boolean;
}

/**
 * Responses that must not tell their causes apart, by group and cause. A part counts only where it is constant for each
 * of two causes and different between them: what changes by itself never does.
 */
export class ResponsesByCause {
  readonly #groups = new Map<string, Group>();
  #responses = 0;
  /** Every response since its beginning is in the history. */
  readonly #complete: boolean;

  constructor(complete: boolean) {
    this.#complete = complete;
  }

  add(group: string, cause: string, exchange: Completed, kind = cause): void {
    const { causes, kinds, volatile } = this.#groups.get(group) ?? {
      causes: new Map<string, Completed[]>(),
      kinds: new Map<string, Completed[]>(),
      volatile: new Map(),
    };
    const known = causes.get(cause) ?? [];
    if (known.length >= mostRemembered || this.#responses >= mostResponses) return;
    this.#responses += 1;
    this.#groups.set(group, { causes, kinds, volatile });
    causes.set(cause, [...known, exchange]);
    kinds.set(kind, [...(kinds.get(kind) ?? []), exchange]);
    volatile.clear();
  }

  /** Responses to a cause, oldest first. */
  of(group: string, cause: string): readonly Completed[] {
    return this.#groups.get(group)?.causes.get(cause) ?? [];
  }

  /** The first response of a group to a cause of this kind; undefined where none was met. */
  first(group: string, which: (exchange: Completed) => boolean): Completed | undefined {
    for (const [first] of this.#groups.get(group)?.causes.values() ?? []) if (first && which(first)) return first;
    return undefined;
  }

  /** How one cause differs from another of its group; undefined where it does not, or where one of them was not met. */
  difference(group: string, one: string, other: string, partsOf: PartsOf): Difference | undefined {
    const [ones, others] = [this.of(group, one), this.of(group, other)];
    const [a, b] = [ones[0], others[0]];
    if (a === undefined || b === undefined) return undefined;
    const [as, bs] = [ones.map((each) => partsOf(each, b)), others.map((each) => partsOf(each, a))];
    const volatile = this.#volatile(group, partsOf);
    const parts = differingParts(as[0] ?? new Map(), bs[0] ?? new Map()).filter(
      (name) => isConstant(as, name) && isConstant(bs, name) && !volatile.has(name),
    );
    if (parts.length === 0) return undefined;
    const isConfirmed = Math.min(as.length, bs.length) > confirmingRounds;
    return { parts, one: a, other: b, certain: isConfirmed && (this.#complete || isMixed(ones, others)) };
  }

  /** Parts that change by themselves: they differ between two responses to one kind of cause. */
  #volatile(group: string, partsOf: PartsOf): Set<string> {
    const { kinds, volatile: found } = this.#groups.get(group) ?? {};
    const known = found?.get(partsOf);
    if (known !== undefined) return known;
    const volatile = new Set<string>();
    for (const [first, ...rest] of kinds?.values() ?? []) {
      if (first === undefined) continue;
      for (const each of rest) {
        for (const name of differingParts(partsOf(first, each), partsOf(each, first))) volatile.add(name);
      }
    }
    found?.set(partsOf, volatile);
    return volatile;
  }
}

/** Whether neither came after the other in time: then no other release of the deployment explains how they differ. */
function isMixed(ones: readonly Completed[], others: readonly Completed[]): boolean {
  const [first, last] = [(all: readonly Completed[]) => all[0], (all: readonly Completed[]) => all.at(-1)];
  const isBefore = (one?: Completed, other?: Completed) =>
    one !== undefined && other !== undefined && precedes(one, other);
  return isBefore(first(ones), last(others)) && isBefore(first(others), last(ones));
}

function isConstant(all: readonly Parts[], name: string): boolean {
  return all.every((parts) => parts.get(name) === all[0]?.get(name));
}
