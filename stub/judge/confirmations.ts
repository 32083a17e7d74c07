import { isDeepStrictEqual } from 'node:util';
import type { ClientFinding } from '../../fixtures/judgement.ts';
import { inEach, type Rule } from './rule.ts';
import {
  type Course,
  called,
  confirmationOf,
  evidence,
  inSeconds,
  proposedId,
  sinceReceipt,
  type Turn,
} from './turn.ts';

interface Confirmed {
  readonly turn: Turn;
  readonly proposal: Turn;
  readonly id: string;
}

/** Calls that confirm a proposal whose answer is remembered. */
function confirmedIn({ turns }: Course): Confirmed[] {
  const proposals = new Map<string, Turn>();
  return turns.flatMap((turn) => {
    const issued = proposedId(turn);
    if (issued !== null) proposals.set(issued, turn);
    const id = confirmationOf(turn);
    const proposal = typeof id === 'string' ? proposals.get(id) : undefined;
    return typeof id === 'string' && proposal !== undefined ? [{ turn, proposal, id }] : [];
  });
}

type Words = Omit<ClientFinding, 'evidence'>;

const overConfirmed = (
  wanted: (course: Course) => boolean,
  find: (course: Course, confirmed: Confirmed) => Words | undefined,
): Rule =>
  inEach((course) => {
    const all = wanted(course) ? confirmedIn(course) : [];
    return {
      tried: all.length > 0,
      findings: all.flatMap((confirmed) => {
        const words = find(course, confirmed);
        return words === undefined
          ? []
          : [{ ...words, evidence: evidence(course, confirmed.proposal, confirmed.turn) }];
      }),
    };
  });

export const approved: Rule = overConfirmed(
  ({ session }) => session.attended,
  ({ person }, { turn, id }) => {
    const said = person.findLast(({ subject, seq, act }) => subject === id && seq < turn.seq && act !== 'picked');
    const word = said?.act;
    if (word === 'approved') return undefined;
    return {
      expected: 'a person to have been shown the summary and to have approved it',
      actual: `${called(turn)} confirms ${word === 'denied' ? 'what the person denied' : 'what no person has approved'}`,
      hint: 'Propose and stop: show request_summary to a person, and confirm only when that person says yes.',
    };
  },
);

/** Nobody reads a sentence and decides in less. */
const readingMs = 1000;

export const timeToRead: Rule = overConfirmed(
  ({ session }) => !session.attended,
  (_course, { turn, proposal }) => {
    const passed = sinceReceipt(turn, proposal);
    return passed >= readingMs
      ? undefined
      : {
          expected: 'time for a person to read the summary',
          actual: `${called(turn)} comes ${inSeconds(Math.max(0, passed))} after the proposal`,
          hint: 'The client seems to confirm by itself. In a test, say what the person does: person.approve(id), or person.deny(id).',
        };
  },
);

export const sameRequest: Rule = overConfirmed(
  () => true,
  (_course, { turn, proposal }) => {
    const asked = turn.args ?? {};
    // To name the workspace that the proposal was answered for is to repeat the request in more words.
    const named = 'workspace' in asked ? { workspace: proposal.reply.workspace } : {};
    const proposed: Readonly<Record<string, unknown>> = { ...named, ...proposal.args };
    const names = new Set([...Object.keys(asked), ...Object.keys(proposed)]);
    names.delete('confirmation_id');
    const changed = [...names].filter((name) => !isDeepStrictEqual(asked[name], proposed[name]));
    if (changed.length === 0) return undefined;
    return {
      expected: 'the request that was proposed, and the confirmation id',
      actual: `${called(turn)} changes ${changed.join(', ')}`,
      hint: 'What was confirmed is what runs, whatever the second call says: keep the request with its confirmation id.',
    };
  },
);

export const inTime: Rule = overConfirmed(
  () => true,
  (_course, { turn, proposal }) => {
    const passed = turn.event.at - proposal.receivedAt;
    return passed < 30 * 60_000
      ? undefined
      : {
          expected: 'a fresh proposal, since this one is older than 30 minutes',
          actual: `${called(turn)} confirms a proposal that is ${Math.round(passed / 60_000)} minutes old`,
          hint: 'Store when a proposal was made, and propose again after about 30 minutes.',
        };
  },
);

/** Calls that send an id again after an answer to it. */
const again = (ended: (turn: Turn) => boolean, words: (turn: Turn, before: Turn) => Words): Rule =>
  inEach((course) => {
    const sent = Map.groupBy(
      course.turns.filter((turn) => typeof confirmationOf(turn) === 'string'),
      confirmationOf,
    );
    const ends = [...sent.values()].flatMap((turns) =>
      turns.flatMap((turn, at) => (ended(turn) ? [{ turns, at }] : [])),
    );
    return {
      tried: ends.length > 0,
      findings: ends.flatMap(({ turns, at }) => {
        const [before, turn] = turns.slice(at, at + 2);
        return before === undefined || turn === undefined
          ? []
          : [{ ...words(turn, before), evidence: evidence(course, before, turn) }];
      }),
    };
  });

export const once: Rule = again(
  ({ reply }) => reply.status === 'dispatched',
  (turn, before) => ({
    expected: 'an id to be sent no more once its run was dispatched',
    actual: `${called(turn)} sends the id again that ${called(before)} was dispatched with`,
    hint: 'Forget the id as soon as the run id is there, and guard against two confirmations under way at once.',
  }),
);

export const freshProposal: Rule = again(
  ({ code }) => code === 'confirmation_invalid',
  (turn, before) => ({
    expected: 'a fresh proposal, without confirmation_id',
    actual: `${called(turn)} sends the id again that ${called(before)} was refused for`,
    hint: 'An id that was refused once is never good again: call without confirmation_id, and have the fresh proposal approved.',
  }),
);
