import type { Role } from '../../fixtures/roles.ts';
import type { Args } from '../flows/steps.ts';
import type { Scope } from './move.ts';

/** A key, and what its request says of the workspace. */
export interface Place {
  readonly as: Role;
  readonly args: Args;
  /** A board that is known there. */
  readonly board: string | undefined;
}

/** Every place in which a request may be tried, in reach or not: what must come of it is for rules to say. */
export function placesOf({ known, roles }: Scope): Place[] {
  const { workspace, board, otherWorkspace, otherBoard, otherAccountWorkspace, otherAccountBoard } = known;
  const here = workspace === undefined ? [] : [{ args: { workspace }, board }];
  const there = otherWorkspace === undefined ? [] : [{ args: { workspace: otherWorkspace }, board: otherBoard }];
  const theirs =
    otherAccountWorkspace === undefined
      ? []
      : [{ args: { workspace: otherAccountWorkspace }, board: otherAccountBoard }];
  const unnamed = [{ args: {}, board }];
  const all: Readonly<Partial<Record<Role, readonly Omit<Place, 'as'>[]>>> = {
    // What it does most is what a client does most.
    primary: [...here, ...here, ...here, ...there, ...there, ...unnamed],
    ambiguous: [...here, ...there, ...unnamed],
    pinned: [...unnamed, ...here, ...there],
    defaulted: [...unnamed, ...here, ...there],
    sole: [...unnamed, ...here, ...there],
    otherAccount: [...theirs, ...theirs, ...unnamed],
    throttled: here,
  };
  return roles.flatMap((as) => (all[as] ?? []).map((place) => ({ as, ...place })));
}
