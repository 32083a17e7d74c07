import type { Role } from '../../fixtures/roles.ts';
import type { Args } from '../topics/steps.ts';
import type { Scope } from './move.ts';

/** A key, and the workspace argument of its request. */
export interface Place {
  readonly as: Role;
  readonly args: Args;
  /** Known board in this place. */
  readonly board: string | undefined;
}

/** Returns every place for a request, accessible or not. The rules judge the responses. */
export function placesOf({ deployment, roles }: Scope): Place[] {
  const { workspace, board, otherWorkspace, otherBoard, otherAccountWorkspace, otherAccountBoard } = deployment;
  const here = workspace === undefined ? [] : [{ args: { workspace }, board }];
  const there = otherWorkspace === undefined ? [] : [{ args: { workspace: otherWorkspace }, board: otherBoard }];
  const theirs =
    otherAccountWorkspace === undefined
      ? []
      : [{ args: { workspace: otherAccountWorkspace }, board: otherAccountBoard }];
  const unnamed = [{ args: {}, board }];
  const all: Readonly<Partial<Record<Role, readonly Omit<Place, 'as'>[]>>> = {
    // Clients mostly use their own workspace.
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
