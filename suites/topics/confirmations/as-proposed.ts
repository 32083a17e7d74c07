import type { Requirement } from '../../../fixtures/requirements/model.ts';
import { fieldIs } from '../../expectations/fields.ts';
import { decisive, first } from '../../expectations/finding.ts';
import { type Rule, rule } from '../../expectations/rule.ts';
import { type Completed, isRefusal } from '../../history/exchange.ts';
import { isDispatch, isProposal } from '../../situations/ids.ts';
import { atHome, isFresh, isLive, presented } from '../../situations/presentation.ts';
import type { Seen } from '../../situations/seen.ts';
import { presents, runs, wasProposed, withProposal } from './matchers.ts';

const boundHint = 'Store the proposed request with its id and run that one, whatever the second call changes.';

/** An argument of the proposal, with the field of the response that shows it. */
type Bound = { argument: 'count' | 'shape' | 'board'; field: 'count' | 'aspect_ratio' | 'board_id' };

/**
 * Builds the rule that the server dispatches the proposed value of an argument that the confirmation changes. The ID is
 * live, and its own key presents it in its own workspace.
 *
 * 1. A dispatch is always judged: the response shows the proposed value.
 * 2. A refusal of another board conforms.
 * 3. Any other response is a finding under these conditions:
 *    - Only this argument changes, because a server may refuse a new brief.
 *    - A later dispatch of an ID that is no younger shows that the ID was still valid.
 *    - Unless the response is a new proposal: the ID is fresh, and presented for the first time, and a proposal with
 *      the new value succeeded.
 */
export function runsAsProposed(requirement: Requirement, { argument, field }: Bound): Rule {
  return rule(requirement, {
    applies: (exchange, seen) =>
      presents(exchange, seen, (attempt) => {
        const live =
          isLive(attempt) && atHome(attempt) && attempt.missing.length === 0 && attempt.changed.includes(argument);
        if (!live || isDispatch(exchange)) return live;
        if (isProposal(exchange)) return attempt.changed.length === 1;
        if (!isFresh(attempt) || attempt.before.length > 0) return false;
        if (argument === 'board') return isRefusal(exchange);
        return attempt.changed.length === 1 && wasProposed(exchange, seen, false);
      }),
    twin: (exchange, seen) => ({
      succeeded: isDispatch(exchange) || isKnownAlive(exchange, seen),
      promisedBy: 'confirmations.dispatched',
    }),
    expect: (exchange, seen) => {
      if (argument === 'board' && isRefusal(exchange)) return undefined;
      const proposal = presented(exchange, seen)?.issued?.proposal;
      const original = proposal?.request.args?.[argument];
      const finding = first(runs(exchange, seen, boundHint), fieldIs(exchange, field, original, boundHint));
      return finding && { ...decisive(finding), exchanges: withProposal(exchange, seen) };
    },
  });
}

/** Whether the presented ID was alive, because one that is no younger was dispatched later. */
function isKnownAlive(exchange: Completed, seen: Seen): boolean {
  const proposal = presented(exchange, seen)?.issued?.proposal;
  return proposal !== undefined && seen.ids.isDispatchedLater(exchange, proposal);
}
