import { body, type Completed, isSuccess } from '../../history/exchange.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';
import { confirming, type Proposal } from './proposals.ts';

/**
 * Returns the workspace that `primary` resolves to without the argument, if a board of it is known. Otherwise returns
 * the default workspace of the run.
 */
export function home(t: Steps, own: Completed): { args: Args; byItself: boolean } {
  const { workspace, otherWorkspace, otherBoard } = t.deployment;
  const by = isSuccess(own) ? body(own).workspace : undefined;
  if (by !== undefined && by === otherWorkspace && otherBoard !== undefined) {
    return { args: { workspace: otherWorkspace, board: otherBoard }, byItself: true };
  }
  return { args: t.here({ board: t.setting('board') }), byItself: by !== undefined && by === workspace };
}

/** Returns a confirmation in another workspace that the key reaches, if a board of it is known. */
export function elsewhere(t: Steps, proposal: Proposal): StoryRequest | undefined {
  const { workspace, board, otherWorkspace, otherBoard } = t.deployment;
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

/** Returns a confirmation by the other account in its own workspace, if that account is configured. */
export function asOtherAccount(t: Steps, proposal: Proposal): StoryRequest | undefined {
  const { otherAccountWorkspace: workspace, otherAccountBoard: board } = t.deployment;
  if (!t.has('otherAccount') || workspace === undefined || board === undefined) return undefined;
  return { ...confirming(proposal, { workspace, board }), as: 'otherAccount' };
}

/** Returns a confirmation in a workspace that does not exist. */
export function nowhere(t: Steps, proposal: Proposal): StoryRequest {
  const workspace = `tck-${t.text('unknown workspace')}`;
  return { ...confirming(proposal, { workspace }), invented: ['workspace'] };
}
