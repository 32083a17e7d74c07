import type { Context } from '../engine/context.ts';
import type { Answered } from '../exchange.ts';
import { mayBeMoved } from './confirming.ts';
import { confirm, isDispatch, type Proposal, propose } from './images.ts';
import { unknownWorkspace } from './out-of-reach.ts';
import { ownWorkspace } from './unnamed.ts';

/** Ways of presenting an id that ought to be refused without using it up. */
export type Refused =
  | 'in another workspace'
  | 'by another account'
  | 'without the request'
  | 'without the brief'
  | 'in an unknown workspace';

/** An id that was presented in every way that ought to be refused, and then as it should be. */
export interface Wandered {
  proposal: Proposal;
  refused: ReadonlyMap<Refused, Answered>;
  /** The confirmation that leaves the workspace to the key; undefined where that is not known to come to the same. */
  unnamed: Answered | undefined;
  /** The one with the request as it was proposed; undefined where there was nothing left to confirm. */
  named: Answered | undefined;
}

interface Place {
  workspace: string | undefined;
  board: string;
}

/** Where `primary` is when it names no workspace, as far as a board is known there; otherwise where the kit works. */
async function home(t: Context): Promise<Place & { byItself: boolean }> {
  const { workspace, otherWorkspace, otherBoard } = t.ground;
  const own = await ownWorkspace(t, 'primary');
  if (own === otherWorkspace && otherWorkspace !== undefined && otherBoard !== undefined) {
    return { workspace: otherWorkspace, board: otherBoard, byItself: true };
  }
  return { workspace, board: t.setting('board'), byItself: own === workspace && workspace !== undefined };
}

/** Another place that `primary` reaches, with a board of it. */
function elsewhere(t: Context, { workspace: here }: Place): Place | undefined {
  const { workspace, board, otherWorkspace, otherBoard } = t.ground;
  const places = [
    { workspace, board },
    { workspace: otherWorkspace, board: otherBoard },
  ];
  return places.find(
    (place): place is Place => ![undefined, here].includes(place.workspace) && place.board !== undefined,
  );
}

/** The id of a fresh proposal on its way, made once in a run; it costs one image in the end. */
export function wandered(t: Context): Promise<Wandered> {
  return t.once('wandered', async () => {
    for (let times = 1; ; times += 1) {
      const it = await wander(t);
      if (it.named === undefined || !mayBeMoved(t, it.named, times)) return it;
    }
  });
}

async function wander(t: Context): Promise<Wandered> {
  const place = await home(t);
  const { workspace, board } = place;
  const proposal = await propose(t, 'shown elsewhere', workspace === undefined ? { board } : { workspace, board });
  const refused = await presentWrongly(t, proposal, place);
  if ([...refused.values()].some(isDispatch)) return { proposal, refused, unnamed: undefined, named: undefined };
  const { workspace: _, ...unplaced } = proposal.args;
  const unnamed = place.byItself ? await confirm(t, unplaced, proposal.id) : undefined;
  if (unnamed !== undefined && isDispatch(unnamed)) return { proposal, refused, unnamed, named: undefined };
  return { proposal, refused, unnamed, named: await confirm(t, proposal.args, proposal.id) };
}

/** Presents an id in each of the wrong ways, until one dispatches. */
async function presentWrongly(t: Context, { args, id }: Proposal, place: Place): Promise<Map<Refused, Answered>> {
  const other = elsewhere(t, place);
  const { otherAccountWorkspace: theirs, otherAccountBoard: theirBoard } = t.ground;
  const { count } = args;
  const here = place.workspace === undefined ? {} : { workspace: place.workspace };
  const ways: [Refused, () => Promise<Answered>][] = [['without the request', () => confirm(t, here, id, { count })]];
  if (other !== undefined) ways.push(['in another workspace', () => confirm(t, { ...args, ...other }, id)]);
  if (t.has('otherAccount') && theirs !== undefined && theirBoard !== undefined) {
    const their = { ...args, workspace: theirs, board: theirBoard };
    ways.push(['by another account', () => confirm(t, their, id, { as: 'otherAccount' })]);
  }
  const nowhere = { ...args, workspace: unknownWorkspace(t) };
  ways.push(['in an unknown workspace', () => confirm(t, nowhere, id, { outOfReach: true })]);
  const { brief: _, ...unbriefed } = args;
  ways.push(['without the brief', () => confirm(t, unbriefed, id)]);
  const refused = new Map<Refused, Answered>();
  for (const [name, present] of ways) {
    const answer = await present();
    refused.set(name, answer);
    if (isDispatch(answer)) break;
  }
  return refused;
}
