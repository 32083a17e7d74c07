import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Rule } from '../../expectations/rule.ts';
import type { Completed } from '../../history/exchange.ts';
import { brief, shorten } from '../../json.ts';
import { outcomeOf } from '../../model/answers.ts';
import { row } from '../../model/row.ts';
import { describe } from '../../model/words.ts';
import { isDispatch } from '../../situations/ids.ts';
import type { Seen } from '../../situations/seen.ts';
import { briefFor, propose } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';

const known = ['workspace', 'board', 'brief', 'count', 'shape', 'confirmation_id'];

const usual = ['authorization', 'content-type'];

/** Parts of a request in addition to the arguments of a proposal and the usual headers. */
export interface Beside {
  readonly headers: boolean;
  readonly query: boolean;
  readonly args: boolean;
  readonly id: unknown;
}

function beside({ request }: Completed): Beside {
  const args = request.args ?? {};
  return {
    headers: request.headers.some(([name]) => !usual.includes(name)),
    query: request.url.includes('?'),
    args: Object.keys(args).some((name) => !known.includes(name)),
    id: args.confirmation_id,
  };
}

/**
 * Builds the rule that a request without a confirmation ID does not dispatch, with any additional parts. The server may
 * propose or refuse.
 */
export function neverDispatches(
  id: RequirementId,
  what: string,
  applies: (beside: Beside, seen: Seen) => boolean,
  hint: string,
  source = 'Confirmation of a spending action, rule 5; What the service does, rule 6',
): Rule {
  return row(id, {
    must: `The server MUST NOT dispatch a request ${what}.`,
    source,
    severity: 'spends-money',
    applies: (exchange, seen) =>
      exchange.request.tool === 'images.generate' && exchange.sender.kind === 'key' && applies(beside(exchange), seen),
    // If the server issues no IDs at all, the absence of a dispatch proves nothing.
    twin: (_, seen) => ({ succeeded: seen.ids.anyIssued, promisedBy: 'image-proposals.proposed' }),
    expect: (exchange) => {
      if (!isDispatch(exchange)) return undefined;
      const { headers, args, url } = exchange.request;
      const more = [
        ...Object.entries(args ?? {}).filter(([name]) => !known.includes(name) || name === 'confirmation_id'),
        ...headers.filter(([name]) => !usual.includes(name)),
      ].map(([name, value]) => `${name} ${brief(value)}`);
      const [, query] = url.split('?');
      const beside = [...more, ...(query === undefined ? [] : [`?${query}`])].join(', ');
      return {
        at: 'response',
        got: { ...outcomeOf(exchange), beside: shorten(beside, 200) },
        expected: 'a proposal or a refusal',
        actual: `${describe(exchange)}, with ${shorten(beside, 200)}`,
        hint,
      };
    },
  });
}

/** Proposes a request that no story confirms. */
export const proposeAside = (t: Steps) =>
  propose(t, 'propose a request that is never confirmed', { brief: briefFor(t, 'left alone') });
