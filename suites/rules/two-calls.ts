import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Completed } from '../history/exchange.ts';
import { brief, shorten } from '../json.ts';
import { describe } from './match/responses.ts';
import { type Rule, rule } from './rule.ts';
import { type IssuedId, isDispatch } from './seen/ids.ts';
import type { Seen } from './seen/seen.ts';

const known = ['workspace', 'board', 'brief', 'count', 'shape', 'confirmation_id'];
const usual = ['authorization', 'content-type'];

/** What a request has beside the arguments of a proposal and the usual headers. */
interface Beside {
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

/** An issued id that a text resembles, and that was not used. */
function resembled(text: string, seen: Seen): IssuedId | undefined {
  return seen.ids.resembled(
    text,
    ({ presentations }) => ![...presentations.values()].some(({ outcome }) => outcome === 'dispatched'),
  );
}

/** No request without a confirmation id dispatches, whatever else it has: a refusal is as good as a proposal. */
function neverDispatches(id: RequirementId, applies: (what: Beside, seen: Seen) => boolean, hint: string): Rule {
  return rule(id, {
    applies: (exchange, seen) =>
      exchange.request.tool === 'images.generate' && exchange.sender.kind === 'key' && applies(beside(exchange), seen),
    // Where such requests are not even proposed, that nothing runs proves nothing.
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
        expected: 'a proposal or a refusal',
        actual: `${describe(exchange)}, with ${shorten(beside, 200)}`,
        hint,
        exchanges: [exchange],
      };
    },
  });
}

const isNone = ({ id }: Beside) => id === undefined;

/** There is no way round the second call. */
export const twoCalls: readonly Rule[] = [
  neverDispatches(
    'image-proposals.no-header-confirms',
    (what) => isNone(what) && what.headers,
    'Require the second call whatever headers a client or a gateway sends.',
  ),
  neverDispatches(
    'image-proposals.no-query-parameter-confirms',
    (what) => isNone(what) && what.query,
    'Read arguments only from the body; ignore the query of the URL.',
  ),
  neverDispatches(
    'image-proposals.no-argument-confirms',
    (what) => isNone(what) && what.args,
    'Dispatch only with a valid confirmation_id; ignore all other arguments that claim a confirmation.',
  ),
  neverDispatches(
    'image-proposals.empty-id-never-confirms',
    ({ id }) => id === '',
    'Treat an empty id as one that was never issued.',
  ),
  neverDispatches(
    'image-proposals.null-id-never-confirms',
    ({ id }) => id !== undefined && typeof id !== 'string',
    'Accept only a string as confirmation_id; do not dispatch for null, true, a number or an array.',
  ),
  neverDispatches(
    'image-proposals.near-miss-id-never-confirms',
    ({ id }, seen) =>
      seen.knowledge.complete &&
      typeof id === 'string' &&
      id !== '' &&
      seen.ids.wasIssued(id) === false &&
      resembled(id, seen) !== undefined,
    'Compare the whole id exactly: one that only resembles it was never issued.',
  ),
];
