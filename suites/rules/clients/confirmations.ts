import { isDeepStrictEqual } from 'node:util';
import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { aboutLifetime, limits } from '../../../fixtures/contract/limits.ts';
import { ageAt, body, type Completed, type Exchange, precedes } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { type ClientRule, clientRule } from '../rule.ts';
import { outcomeOf, presentedId } from '../seen/ids.ts';
import { sinceReceipt } from '../seen/known.ts';
import type { Seen } from '../seen/seen.ts';
import { isUnknownId, neverGot } from './never-got.ts';
import { inSeconds, readingMs } from './time.ts';

/** A proposal whose id a request presents. */
interface Confirmed {
  readonly id: string;
  /** The response that gave the id out, and the last one, where it was given out again. */
  readonly proposal: Completed;
  readonly latest: Completed;
  /** The id stands for two different requests, which a server must not do. */
  readonly twice: boolean;
}

function confirmed(exchange: Exchange, seen: Seen): Confirmed | undefined {
  const id = presentedId(exchange) ?? '';
  const issued = seen.ids.issued(id);
  return issued !== undefined && precedes(issued.latest, exchange) ? { ...issued, id } : undefined;
}

/** Arguments that are not the same as in the proposal. */
function changedNames({ request }: Exchange, { proposal }: Confirmed): string[] {
  const asked = request.args ?? {};
  // To name the workspace that the proposal was answered for is to repeat the request in more words.
  const named = 'workspace' in asked ? { workspace: body(proposal).workspace } : {};
  const proposed: Readonly<Record<string, unknown>> = { ...named, ...proposal.request.args };
  const names = new Set([...Object.keys(asked), ...Object.keys(proposed)]);
  names.delete('confirmation_id');
  return [...names].filter((name) => !isDeepStrictEqual(asked[name], proposed[name]));
}

/** How clients confirm what they proposed. */
export const confirmations: readonly ClientRule[] = [
  clientRule('client-confirmations.approved', {
    applies: (exchange, seen) => seen.knowledge.person === true && confirmed(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const it = confirmed(exchange, seen);
      const word = it && seen.client.people.lastWordOn(it.id, exchange);
      if (it === undefined || word === 'approved') return undefined;
      return {
        expected: 'the approval of a person who was shown the summary',
        actual: `a confirmation of what ${word === 'denied' ? 'the person denied' : 'no person has approved'}`,
        hint: 'Propose and stop: show request_summary to a person, and confirm only when that person says yes.',
        exchanges: [it.proposal, exchange],
      };
    },
  }),
  clientRule('client-confirmations.time-to-read', {
    applies: (exchange, seen) => seen.knowledge.person !== true && confirmed(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const it = confirmed(exchange, seen);
      if (it === undefined || sinceReceipt(exchange, it.latest) >= readingMs) return undefined;
      return {
        expected: 'time for a person to read the summary',
        actual: `a confirmation ${inSeconds(sinceReceipt(exchange, it.latest))} after the proposal`,
        hint: 'Show the summary to a person. In a test, record the decision: person.approve(id) or person.deny(id).',
        exchanges: [it.latest, exchange],
      };
    },
  }),
  clientRule('client-confirmations.same-request', {
    applies: (exchange, seen) => confirmed(exchange, seen)?.twice === false,
    expect: (exchange, seen) => {
      const it = confirmed(exchange, seen);
      const changed = it === undefined ? [] : changedNames(exchange, it);
      if (it === undefined || changed.length === 0) return undefined;
      return {
        expected: 'the proposed request, with nothing added but the confirmation id',
        actual: `a confirmation that changes ${changed.join(', ')}`,
        hint: 'Store the request with its confirmation id, and send it unchanged: the server runs what was proposed.',
        exchanges: [it.proposal, exchange],
      };
    },
  }),
  clientRule('client-confirmations.id-as-given', {
    // What comes out of a refusal is told by client-outcomes.ok-decides.
    applies: (exchange, seen) =>
      presentedId(exchange) !== undefined && !seen.client.mayKnowMore && neverGot(exchange, seen) === undefined,
    expect: (exchange, seen) => {
      const id = presentedId(exchange) ?? '';
      if (!isUnknownId(exchange, seen)) return undefined;
      const like = seen.ids.resembled(id);
      return {
        expected: 'a confirmation id exactly as a proposal gave it',
        actual: brief(id) + (like === undefined ? ', which no response gave' : `; the proposal gave ${brief(like.id)}`),
        hint: 'Send the id unchanged, in case and length.',
        exchanges: [...(like === undefined ? [] : [like.proposal]), exchange],
      };
    },
  }),
  clientRule('client-confirmations.once', {
    applies: (exchange, seen) =>
      outcomeOf(exchange) === 'dispatched' || sentBefore(exchange, 'dispatched', seen) !== undefined,
    expect: (exchange, seen) => {
      const before = sentBefore(exchange, 'dispatched', seen);
      return (
        before && {
          expected: 'no further request with an id whose run was dispatched',
          actual: 'another request with the id',
          hint: 'Delete the id when you receive the run_id, and prevent two confirmations at the same time.',
          exchanges: [before, exchange],
        }
      );
    },
  }),
  clientRule('client-confirmations.fresh-proposal', {
    applies: (exchange, seen) =>
      outcomeOf(exchange) === 'invalid' || sentBefore(exchange, 'invalid', seen) !== undefined,
    expect: (exchange, seen) => {
      const before = sentBefore(exchange, 'invalid', seen);
      return (
        before && {
          expected: 'a fresh proposal, without confirmation_id',
          actual: `the same id again after ${refusalCodes.confirmationInvalid}`,
          hint: 'Propose again without confirmation_id and have the new proposal approved: a refused id stays invalid.',
          exchanges: [before, exchange],
        }
      );
    },
  }),
  clientRule('client-confirmations.in-time', {
    // Where the history has gaps, the id may have been given out again meanwhile.
    applies: (exchange, seen) =>
      seen.knowledge.complete && seen.knowledge.clock && confirmed(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const it = confirmed(exchange, seen);
      const age = it === undefined ? 0 : ageAt(it.latest, exchange);
      if (it === undefined || age < limits.confirmation.about * 60_000) return undefined;
      return {
        expected: `a fresh proposal after ${aboutLifetime}`,
        actual: `a confirmation of a proposal that is ${Math.round(age / 60_000)} minutes old`,
        hint: `Store when a proposal was made, and propose again after ${aboutLifetime}.`,
        exchanges: [it.latest, exchange],
      };
    },
  }),
];

/** The request that sent the same id before, with this outcome. */
function sentBefore(exchange: Exchange, outcome: 'dispatched' | 'invalid', { client }: Seen): Exchange | undefined {
  return client.answeredBefore(exchange, outcome, presentedId(exchange) ?? '')[0];
}
