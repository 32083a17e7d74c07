import { must } from '../../../fixtures/requirements/model.ts';
import { rule } from '../../expectations/rule.ts';
import { body } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { isDispatch } from '../../situations/ids.ts';
import { confirming, type Proposal, propose, proposeMore, proposeOtherShape } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story } from '../story.ts';
import { runsAsProposed } from './as-proposed.ts';
import { needs } from './presentations.ts';

const runIdNew = rule(
  must(
    'confirmations.run-id-new',
    'The server MUST send a different `run_id` for every dispatch.',
    'Confirmation of a spending action, second row; images.generate, call 2',
  ),
  {
    applies: (exchange) => isDispatch(exchange) && typeof body(exchange).run_id === 'string',
    expect: (exchange, seen) => {
      const { run_id: run } = body(exchange);
      const earlier = seen.firstRun(exchange);
      // Other requirements cover responses to used IDs.
      if (earlier === exchange || earlier === undefined) return undefined;
      if (earlier.request.args?.confirmation_id === exchange.request.args?.confirmation_id) return undefined;
      return {
        expected: 'a different run_id for each dispatch',
        actual: `run_id ${brief(run)} twice`,
        hint: 'Generate a new run_id for each dispatch.',
        exchanges: [earlier, exchange],
      };
    },
  },
);

/** Confirms with another count and shape, which the server accepts in proposals. */
export const changedRequests = story('changed requests', {
  needs,
  uses: ['proposal'],
  images: 2,
  steps: async (t) => {
    const older = await proposeMore(t, 'propose another count');
    const other = await proposeOtherShape(t);
    const changes = [{ count: otherCount(t, older) }, ...(other === undefined ? [] : [{ shape: other.args.shape }])];
    const proposal = await propose(t, 'propose');
    const changed = confirming(proposal, Object.assign({}, ...changes));
    if (isDispatch(await t.send('confirm with another count and shape', changed))) return;
    for (const change of changes) {
      const fresh = await propose(t, 'propose again');
      await t.send(`confirm with another ${Object.keys(change).join()}`, confirming(fresh, change));
    }
    // A dispatch of this ID shows that the younger ones had not expired.
    await t.send('confirm the older proposal', confirming(older));
  },
  requirements: [
    runsAsProposed(
      must(
        'confirmations.changed-count',
        'The server MUST dispatch the proposed `count` even if the confirmation changes it.',
        'Confirmation of a spending action, rule 1',
        'spends-money',
      ),
      { argument: 'count', field: 'count' },
    ),
    runsAsProposed(
      must(
        'confirmations.changed-shape',
        'The server MUST dispatch the proposed `shape` even if the confirmation changes it.',
        'Confirmation of a spending action, rule 1',
      ),
      { argument: 'shape', field: 'aspect_ratio' },
    ),
    runIdNew,
  ],
});

/** Returns a count that differs from the accepted one, if possible one that the server accepts too. */
function otherCount(t: Steps, { args }: Proposal): unknown {
  const { count } = t.proposal();
  return args.count === count ? Number(count) + 1 : args.count;
}
