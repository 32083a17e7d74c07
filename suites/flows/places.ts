import { body, type Completed, isSuccess } from '../history/exchange.ts';
import { confirming, type Proposal } from './images.ts';
import type { Args, Asked, Steps } from './steps.ts';

/** Where `primary` is when it names no workspace, as far as a board is known there; otherwise where the kit works. */
export function home(t: Steps, own: Completed): { args: Args; byItself: boolean } {
  const { workspace, otherWorkspace, otherBoard } = t.known;
  const by = isSuccess(own) ? body(own).workspace : undefined;
  if (by !== undefined && by === otherWorkspace && otherBoard !== undefined) {
    return { args: { workspace: otherWorkspace, board: otherBoard }, byItself: true };
  }
  return { args: t.here({ board: t.setting('board') }), byItself: by !== undefined && by === workspace };
}

/** The id in another workspace that the key reaches, with a board of it. */
export function elsewhere(t: Steps, proposal: Proposal): Asked | undefined {
  const { workspace, board, otherWorkspace, otherBoard } = t.known;
  const places = [
    { workspace, board },
    { workspace: otherWorkspace, board: otherBoard },
  ];
  const other = places.find(
    (place) =>
      place.workspace !== undefined && place.board !== undefined && place.workspace !== proposal.args.workspace,
  );
  return other && confirming(proposal, other);
}

/** The id by the key of another account, in its own workspace. */
export function asOtherAccount(t: Steps, proposal: Proposal): Asked | undefined {
  const { otherAccountWorkspace: workspace, otherAccountBoard: board } = t.known;
  if (!t.has('otherAccount') || workspace === undefined || board === undefined) return undefined;
  return { ...confirming(proposal, { workspace, board }), as: 'otherAccount' };
}

/** The id in a workspace that does not exist. */
export function nowhere(t: Steps, proposal: Proposal): Asked {
  const workspace = `tck-${t.text('unknown workspace')}`;
  return { ...confirming(proposal, { workspace }), invented: ['workspace'] };
}
