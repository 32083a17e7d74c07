import { isDeepStrictEqual } from 'node:util';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { aboutLifetime, limits } from '../../fixtures/contract/limits.ts';
import { type ClientRule, clientRule } from '../expectations/rule.ts';
import { ageAt, body, type Completed, type Exchange, isCompleted, precedes } from '../history/exchange.ts';
import { brief } from '../json.ts';
import { sinceReceipt } from '../situations/acquaintance.ts';
import { outcomeOf, presentedId } from '../situations/ids.ts';
import type { Seen } from '../situations/seen.ts';
import { isUnknownId, usesFailure } from './never-got.ts';
import { inSeconds, readingMs } from './time.ts';

/** A proposal whose ID a request presents. */
interface Confirmed {
  readonly id: string;
  /** First and latest response that gave the ID. */
  readonly proposal: Completed;
  readonly latest: Completed;
  /** The ID stands for two different requests, which is a defect of the server. */
  readonly twice: boolean;
}

function confirmed(exchange: Exchange, seen: Seen): Confirmed | undefined {
  const id = presentedId(exchange) ?? '';
  const issued = seen.ids.issued(id);
  return issued !== undefined && precedes(issued.latest, exchange) ? { ...issued, id } : undefined;
}

/** Returns the arguments that differ from the proposal. */
function changedNames({ request }: Exchange, { proposal }: Confirmed): string[] {
  const asked = request.args ?? {};
  // Naming the workspace in the response to the proposal does not change the request.
  const workspaceArgument = 'workspace' in asked ? { workspace: body(proposal).workspace } : {};
  const proposed: Readonly<Record<string, unknown>> = { ...workspaceArgument, ...proposal.request.args };
  const names = new Set([...Object.keys(asked), ...Object.keys(proposed)]);
  names.delete('confirmation_id');
  return [...names].filter((name) => !isDeepStrictEqual(asked[name], proposed[name]));
}

/** Rules for confirmations. */
export const confirmations: readonly ClientRule[] = [
  clientRule('client-confirmations.approved', {
    applies: (exchange, seen) => seen.knowledge.person === true && confirmed(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const confirmation = confirmed(exchange, seen);
      const word = confirmation && seen.client.people.lastWordOn(confirmation.id, exchange);
      if (confirmation === undefined || word === 'approved') return undefined;
      return {
        expected: 'the approval of a person who was shown the summary',
        actual: `a confirmation of what ${word === 'denied' ? 'the person denied' : 'no person has approved'}`,
        hint: 'Propose and stop: show request_summary to a person, and confirm only when that person says yes.',
        exchanges: [confirmation.proposal, exchange],
      };
    },
  }),
  clientRule('client-confirmations.time-to-read', {
    applies: (exchange, seen) => seen.knowledge.person !== true && confirmed(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const confirmation = confirmed(exchange, seen);
      if (confirmation === undefined || sinceReceipt(exchange, confirmation.latest) >= readingMs) return undefined;
      return {
        expected: 'time for a person to read the summary',
        actual: `a confirmation ${inSeconds(sinceReceipt(exchange, confirmation.latest))} after the proposal`,
        hint: 'Show the summary to a person. In a test, record the decision: person.approve(id) or person.deny(id).',
        exchanges: [confirmation.latest, exchange],
      };
    },
  }),
  clientRule('client-confirmations.same-request', {
    applies: (exchange, seen) => confirmed(exchange, seen)?.twice === false,
    expect: (exchange, seen) => {
      const confirmation = confirmed(exchange, seen);
      const changed = confirmation === undefined ? [] : changedNames(exchange, confirmation);
      if (confirmation === undefined || changed.length === 0) return undefined;
      return {
        expected: 'the proposed request, with nothing added but the confirmation id',
        actual: `a confirmation that changes ${changed.join(', ')}`,
        hint: 'Store the request with its confirmation id, and send it unchanged: the server runs what was proposed.',
        exchanges: [confirmation.proposal, exchange],
      };
    },
  }),
  clientRule('client-confirmations.id-as-given', {
    // client-outcomes.ok-decides covers values that a refusal did not give.
    applies: (exchange, seen) =>
      presentedId(exchange) !== undefined && !seen.client.mayKnowMore && !usesFailure(exchange, seen),
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
  clientRule('client-confirmations.one-at-a-time', {
    applies: (exchange, seen) => isCompleted(exchange) && confirmed(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const [other] = seen.client
        .during(exchange, 'confirmation', presentedId(exchange))
        // A later request can be the repetition of one that timed out.
        .filter(({ sentAt }) => Math.abs(sentAt - exchange.sentAt) < readingMs);
      return (
        other && {
          expected: 'one request with a confirmation id at a time',
          actual: 'two requests with the same id at the same time',
          hint: 'Delete the stored id before you send it, so that a second click or worker has none to send.',
          exchanges: [other, exchange].sort((one, two) => one.number - two.number),
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
    // In a history with gaps, the ID may have been issued again.
    applies: (exchange, seen) =>
      seen.knowledge.complete && seen.knowledge.clock && confirmed(exchange, seen) !== undefined,
    expect: (exchange, seen) => {
      const confirmation = confirmed(exchange, seen);
      const age = confirmation === undefined ? 0 : ageAt(confirmation.latest, exchange);
      if (confirmation === undefined || age < limits.confirmation.about * 60_000) return undefined;
      return {
        expected: `a fresh proposal after ${aboutLifetime}`,
        actual: `a confirmation of a proposal that is ${Math.round(age / 60_000)} minutes old`,
        hint: `Store when a proposal was made, and propose again after ${aboutLifetime}.`,
        exchanges: [confirmation.latest, exchange],
      };
    },
  }),
];

/** Returns the earlier request that sent the same ID with this outcome. */
function sentBefore(exchange: Exchange, outcome: 'dispatched' | 'invalid', { client }: Seen): Exchange | undefined {
  return client.answeredBefore(exchange, outcome, presentedId(exchange) ?? '')[0];
}
