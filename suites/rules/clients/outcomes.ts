import { isDeepStrictEqual } from 'node:util';
import { type Exchange, isCompleted, isRefusal } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import type { Finding } from '../finding.ts';
import { confirmationOf } from '../match/client-requests.ts';
import { type ClientRule, clientRule } from '../rule.ts';
import type { RunOfClient } from '../seen/client-memory.ts';
import type { Seen } from '../seen/seen.ts';

const isRefusedProposal = (exchange: Exchange) =>
  exchange.request.tool === 'images.generate' && isCompleted(exchange) && isRefusal(exchange);

/** Whether a request is that of a refused proposal over again, but for the id. */
function confirms(exchange: Exchange, refused: Exchange): boolean {
  const request = ({ request: { args } }: Exchange) => ({ ...args, confirmation_id: undefined });
  return confirmationOf(refused) === undefined && isDeepStrictEqual(request(exchange), request(refused));
}

/** Whether the id that a request presents is one that the client cannot have from a response. */
function neverGiven(exchange: Exchange, refused: Exchange | undefined, { ids, earlier }: Seen): boolean {
  const id = confirmationOf(exchange);
  if (id === undefined) return false;
  if (typeof id === 'string') return ids.wasIssued(id) === false && !earlier.ids.has(id);
  // A first request may say so that there is none yet; what came out of a refusal is no first request.
  return refused !== undefined && confirms(exchange, refused);
}

/** What clients make of responses. */
export const outcomes: readonly ClientRule[] = [
  clientRule('client-outcomes.ok-decides', {
    applies: (exchange, { client }) =>
      !client.mayKnowMore && (confirmationOf(exchange) !== undefined || isRefusedProposal(exchange)),
    expect: (exchange, seen) => {
      const [refused] = seen.client.before(exchange, 'refusedProposal');
      if (!neverGiven(exchange, refused, seen)) return undefined;
      return {
        expected: 'a confirmation id that a proposal gave',
        actual: `it sends ${brief(confirmationOf(exchange))}, which no response gave`,
        hint: 'Branch on ok in the body: a refusal comes with HTTP 200 and has none of the fields of a result.',
        exchanges: [...(refused === undefined ? [] : [refused]), exchange],
      };
    },
  }),
  clientRule('client-outcomes.unknown-fields', {
    applies: () => false,
    expect: () => undefined,
    atEnd: ({ client: { run }, earlier: { runs }, knowledge }) => {
      const plain = runs.filter(({ kind }) => kind === 'plain');
      if (run?.kind !== 'unknown-fields' || plain.length === 0 || !knowledge.complete) return undefined;
      if (plain.some(({ exitCode }) => exitCode !== 0) || run.latest.length === 0) return undefined;
      return { finding: differentWithUnknownFields(run, plain) };
    },
  }),
];

/** Tools that every plain run used, and a run with unknown fields did not: the client stopped, and kept quiet about it. */
export function leftOut(run: RunOfClient, plain: readonly RunOfClient[]): string[] {
  const [first, ...others] = plain;
  return [...(first?.tools ?? [])].filter(
    (tool) => !run.tools.has(tool) && others.every(({ tools }) => tools.has(tool)),
  );
}

function differentWithUnknownFields(run: RunOfClient, plain: readonly RunOfClient[]): Finding | undefined {
  const hint = 'Read the fields that you know and ignore the others; a schema for responses must not be closed.';
  const exchanges = run.latest;
  if (run.exitCode !== 0) {
    return {
      expected: 'the client to exit as it does without unknown fields and headers, with 0',
      actual: run.exitCode === null ? 'it did not end in time' : `it exits with ${run.exitCode}`,
      hint,
      exchanges,
    };
  }
  const missing = leftOut(run, plain);
  if (missing.length === 0) return undefined;
  return {
    expected: `the client to use ${missing.join(', ')}, as it does without unknown fields and headers`,
    actual: 'it ends before',
    hint,
    exchanges,
  };
}
