import { must } from '../../../fixtures/requirements/model.ts';
import { rule } from '../../expectations/rule.ts';
import { balanceOf } from '../../situations/balances.ts';
import { presented } from '../../situations/presentation.ts';
import type { Seen } from '../../situations/seen.ts';
import { type Charge, charged } from '../confirmations/charged.ts';
import { othersSpend } from '../credits/compare-balances.ts';

/** With fewer confirmations, a charge that the server makes later could explain the amount. */
const leastRunners = 3;

/** Number of simultaneous confirmations of the ID that ran. */
const runnersOf = ({ dispatch }: Charge, seen: Seen) => 1 + (presented(dispatch, seen)?.during.length ?? 0);

/** Returns the charge of a race, and one for the same proposal without a race. Undefined if these charges differ. */
function chargesOf(seen: Seen): { raced: Charge; usual: Charge; runners: number } | undefined {
  const plain = charged(seen).filter(({ presented, proposed }) => presented === proposed);
  const raced = plain.find((charge) => runnersOf(charge, seen) >= leastRunners);
  if (raced === undefined) return undefined;
  const others = plain.filter(
    (charge) => charge.place === raced.place && charge.proposed === raced.proposed && runnersOf(charge, seen) === 1,
  );
  const [usual] = others;
  if (usual === undefined || others.some(({ amount }) => amount !== usual.amount)) return undefined;
  return { raced, usual, runners: runnersOf(raced, seen) };
}

/** The specification states no price, so only the exact price of all simultaneous confirmations is a violation. */
export const chargedOnce = rule(
  must(
    'race.charged-once',
    'The server MUST charge once for several simultaneous confirmations of the same ID.',
    'Confirmation of a spending action, rule 2',
    'spends-money',
  ),
  {
    otherClient: (seen) => (seen.balances.changedByOthers ? othersSpend : undefined),
    applies: (exchange, seen) =>
      exchange.sender.role === 'primary' &&
      balanceOf(exchange) !== undefined &&
      seen.knowledge.complete &&
      chargesOf(seen) !== undefined,
    expect: (_, seen) => {
      const { raced, usual, runners } = chargesOf(seen) ?? {};
      if (raced === undefined || usual === undefined || runners === undefined) return undefined;
      if (usual.amount <= 0 || raced.amount !== usual.amount * runners) return undefined;
      return {
        expected: `a charge of ${usual.amount}, as for the same proposal without simultaneous confirmations`,
        actual: `a charge of ${raced.amount}, as for ${runners} dispatches`,
        hint: 'Charge when you consume the ID, in the same atomic step: not before you know which confirmation runs.',
        exchanges: [usual.dispatch, raced.interval.from.exchange, raced.dispatch, raced.interval.to.exchange],
      };
    },
  },
);
