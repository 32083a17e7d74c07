import { decisive } from '../../expectations/finding.ts';
import { type Completed, isRefusal } from '../../history/exchange.ts';
import { is } from '../../model/answers.ts';
import { differing, type Judging } from '../../model/row.ts';
import { isDispatch, isProposal } from '../../situations/ids.ts';
import { atHome, isFresh, isLive, presented } from '../../situations/presentation.ts';
import type { Seen } from '../../situations/seen.ts';
import { dispatchesAnyStatus, presents, wasProposed, withProposal } from './matchers.ts';

export const boundHint =
  'Store the proposed request with its ID and run that request, whatever the second call changes.';

/** An argument of the proposal, with the field of the response that shows it. */
type Bound = { argument: 'count' | 'shape' | 'board'; field: 'count' | 'aspect_ratio' | 'board_id' };

/**
 * The server dispatches the proposed value of an argument that the confirmation changes. The ID is
 * live, and its own key presents it in its own workspace. *First* means that the ID was not presented before, and
 * *alone* means that the confirmation changes no other argument.
 *
 * | Response | Judged if | Expected |
 * | --- | --- | --- |
 * | a dispatch | always | the proposed value |
 * | a new proposal | alone | a dispatch |
 * | a refusal of another board | first | nothing: it conforms |
 * | any other | fresh, first, alone, and a proposal with the new value succeeded | a dispatch |
 *
 * In the last three rows, the same ID or one that is as old must be dispatched later, which shows that the ID was live.
 */
export function runsAsProposed({ argument, field }: Bound): Judging {
  return {
    applies: (exchange, seen) =>
      presents(exchange, seen, (attempt) => {
        const live =
          isLive(attempt) && atHome(attempt) && attempt.missing.length === 0 && attempt.changed.includes(argument);
        if (!live || isDispatch(exchange)) return live;
        if (isProposal(exchange)) return attempt.changed.length === 1;
        if (attempt.before.length > 0) return false;
        if (argument === 'board') return isRefusal(exchange);
        return isFresh(attempt) && attempt.changed.length === 1 && wasProposed(exchange, seen, 'any');
      }),
    twin: (exchange, seen) => ({
      succeeded: isDispatch(exchange) || isKnownAlive(exchange, seen),
      promisedBy: 'confirmations.dispatched',
    }),
    expect: (exchange, seen) => {
      if (argument === 'board' && isRefusal(exchange)) return undefined;
      const proposal = presented(exchange, seen)?.issued?.proposal;
      const original = proposal?.request.args?.[argument];
      const finding =
        dispatchesAnyStatus(exchange, seen, boundHint) ?? differing(exchange, [is(field, original)], boundHint);
      return finding && { ...decisive(finding), exchanges: withProposal(exchange, seen) };
    },
  };
}

/** Whether the presented ID was alive, because the same ID or one that is as old was dispatched later. */
function isKnownAlive(exchange: Completed, seen: Seen): boolean {
  const proposal = presented(exchange, seen)?.issued?.proposal;
  return proposal !== undefined && seen.ids.isDispatchedLater(exchange, proposal);
}
