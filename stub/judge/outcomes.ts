import { isDeepStrictEqual } from 'node:util';
import type { ClientFinding, Session } from '../../fixtures/judgement.ts';
import type { Rule } from './rule.ts';
import { type Course, called, confirmationOf, evidence, proposedId, type Turn } from './turn.ts';

/** An id that a client cannot have from an answer: it took a refusal for a result, or a member that was not there. */
export const okDecides: Rule = (courses) => {
  const given = new Set<unknown>(courses.flatMap(({ turns }) => turns.map(proposedId)).filter((id) => id !== null));
  // Of what is forgotten nobody knows which ids it gave.
  const judged = courses.filter(({ session }) => session.dropped === 0);
  return {
    tried: judged.some(({ turns }) =>
      turns.some((turn) => confirmationOf(turn) !== undefined || isRefusedProposal(turn)),
    ),
    findings: judged.flatMap((course) => {
      let refused: Turn | undefined;
      return course.turns.flatMap((turn) => {
        const before = refused;
        if (isRefusedProposal(turn)) refused = turn;
        const id = confirmationOf(turn);
        if (id === undefined || given.has(id)) return [];
        // A first call may say so that there is none yet; what came out of a refusal is no first call.
        if (typeof id !== 'string' && (before === undefined || !confirms(turn, before))) return [];
        return [neverGiven(course, turn, id, before)];
      });
    }),
  };
};

const isRefusedProposal = ({ event, reply }: Turn): boolean => event.tool === 'images.generate' && reply.ok === false;

/** Whether a call is that of a refused proposal over again, but for the id. */
function confirms(turn: Turn, refused: Turn): boolean {
  const request = ({ args }: Turn) => ({ ...args, confirmation_id: undefined });
  return confirmationOf(refused) === undefined && isDeepStrictEqual(request(turn), request(refused));
}

function neverGiven(course: Course, turn: Turn, id: unknown, refused: Turn | undefined): ClientFinding {
  return {
    expected: 'a confirmation id that a proposal gave',
    actual: `${called(turn)} sends ${JSON.stringify(id)}, which no answer gave${
      refused === undefined ? '' : `; ${called(refused)} was refused with ok false`
    }`,
    hint: 'Branch on ok in the body: a refusal comes with HTTP 200 and has none of the fields of a result.',
    evidence: evidence(course, ...(refused === undefined ? [] : [refused]), turn),
  };
}

/**
 * Tools that a client calls whenever nothing is done to it, and not where it meets unknown fields: it stopped on the way, and kept quiet about it. More than
 * one plain run tells what it always does from what it did once.
 */
export function leftOut(plain: readonly Session[], strange: Session): string[] {
  const [first, ...others] = plain.map(toolsIn);
  const met = toolsIn(strange);
  return [...(first ?? [])].filter((tool) => !met.has(tool) && others.every((tools) => tools.has(tool)));
}

const toolsIn = ({ events }: Session): Set<string> =>
  new Set(events.flatMap((event) => (event.kind === 'exchange' && event.tool !== null ? [event.tool] : [])));

/** The same command with and without unknown fields: it does the same, and ends the same. */
export const unknownFields: Rule = (courses) => {
  const plain = courses.filter(({ session }) => session.command?.scene === 'plain');
  const strange = courses.find(({ session }) => session.command?.scene === 'unknown-fields');
  const untried = { tried: false, findings: [] };
  if (plain.length === 0 || strange === undefined) return untried;
  if (plain.some(({ session }) => session.command?.exitCode !== 0)) return untried;
  const met = strange.session.command?.exitCode;
  const missing = leftOut(
    plain.map(({ session }) => session),
    strange.session,
  );
  if (met === 0 && missing.length === 0) return { tried: strange.turns.length > 0, findings: [] };
  return {
    tried: true,
    findings: [
      {
        ...(met === 0
          ? {
              expected: `the client to go on as it does without unknown fields and headers: to ${missing.join(', ')}`,
              actual: `it ended after ${strange.turns.length} calls, without ${missing.length === 1 ? 'that one' : 'those'}`,
            }
          : {
              expected: 'the client to end as it does without unknown fields and headers: with exit code 0',
              actual: `it ended with ${met === null ? 'a signal' : `exit code ${met}`}`,
            }),
        hint: 'Read the members that are known and pass over the others; a schema for answers must not be closed.',
        evidence: evidence(strange, ...strange.turns.slice(-2)),
      },
    ],
  };
};
