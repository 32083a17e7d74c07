import type { ClientFinding } from '../../fixtures/judgement.ts';
import { inEach, type Rule } from './rule.ts';
import {
  type Course,
  called,
  confirmationOf,
  evidence,
  isMeant,
  knew,
  nextAfter,
  proposedId,
  repeats,
  sinceReceipt,
  type Turn,
  undisturbed,
} from './turn.ts';

const hopelessStatuses: readonly (number | null)[] = [400, 401, 403, 404, 405];
/** Refusals that are about the call itself ("Tool refusals", client action). */
const hopelessCodes: readonly (string | null)[] = ['invalid_arguments', 'workspace_ambiguous', 'board_not_found'];

/** After this long a repetition may be a new attempt of its own. */
const retryMs = 60_000;

const isHopeless = ({ status, reply, code }: Turn): boolean =>
  hopelessStatuses.includes(status) || (reply.ok === false && hopelessCodes.includes(code));

/** The first call after each that a rule is about. */
const following = (
  course: Course,
  abouts: readonly Turn[],
  find: (later: Turn, earlier: Turn) => boolean,
  words: (later: Turn, earlier: Turn) => Omit<ClientFinding, 'evidence'>,
) => ({
  tried: abouts.length > 0,
  findings: abouts.flatMap((earlier) => {
    const later = nextAfter(course, earlier, (turn) => find(turn, earlier));
    return later === undefined ? [] : [{ ...words(later, earlier), evidence: evidence(course, earlier, later) }];
  }),
});

export const onlyWhatMayHelp: Rule = inEach((course) =>
  following(
    course,
    course.turns.filter((turn) => isMeant(turn) && isHopeless(turn)),
    (later, earlier) =>
      repeats(later, earlier) &&
      knew(later, earlier) &&
      sinceReceipt(later, earlier) < retryMs &&
      undisturbed(course, earlier, later),
    (later, earlier) => ({
      expected: `no repetition of a call that was answered ${earlier.status}${earlier.code === null ? '' : ` ${earlier.code}`}`,
      actual: `${called(later)} makes the same call again`,
      hint: isProposal(later)
        ? 'A proposal that was refused gave no confirmation id: branch on ok in the body before going on to confirm, and change what the message names before proposing again.'
        : 'The answer will be the same: change what the message names, or tell a person. A 429 is worth repeating, and a lost answer to a reading call.',
    }),
  ),
);

const isProposal = (turn: Turn): boolean => turn.event.tool === 'images.generate' && confirmationOf(turn) === undefined;

const isLost = ({ status }: Turn): boolean => status === null || status >= 500;

/** Calls that create or spend. A confirmation with the same id may be sent again: it spends once. */
const changes = (turn: Turn): boolean =>
  turn.event.tool === 'content.create_request' || typeof confirmationOf(turn) === 'string';

export const noBlindRepeat: Rule = inEach((course) =>
  following(
    course,
    course.turns.filter((turn) => changes(turn) && isLost(turn)),
    (later, earlier) =>
      !looked(course, later, earlier) &&
      (earlier.event.tool === 'content.create_request' ? repeats(later, earlier) : spendsAgain(course, later, earlier)),
    (later, earlier) => ({
      expected: 'a look at what the lost call has done, or a person asked, before it is made again',
      actual: `${called(later)} does again what ${called(earlier)} may have done already`,
      hint: 'Read the schedule or the pieces first, or the balance. An id that was sent may be sent again, since it works once; a fresh proposal spends a second time.',
    }),
  ),
);

/** Calls that show what a lost one has done. */
const looks = new Map<string | null, readonly (string | null)[]>([
  ['content.create_request', ['schedule.read', 'content.status']],
  ['images.generate', ['credits.balance']],
]);

function looked({ turns }: Course, later: Turn, earlier: Turn): boolean {
  const between = turns.slice(earlier.index + 1, later.index);
  const wanted = looks.get(earlier.event.tool) ?? [];
  // A long answer is not kept whole: what is no refusal is a look.
  return between.some(({ event, status, code }) => wanted.includes(event.tool) && status === 200 && code === null);
}

/** Whether a call confirms another proposal of the same request, which no person has approved. */
function spendsAgain({ person, turns }: Course, later: Turn, earlier: Turn): boolean {
  const [id, lost] = [confirmationOf(later), confirmationOf(earlier)];
  if (typeof id !== 'string' || id === lost) return false;
  if (person.some(({ act, subject }) => act === 'approved' && subject === id)) return false;
  const request = (wanted: unknown): string | undefined => {
    const proposal = turns.find((turn) => proposedId(turn) === wanted);
    return proposal?.event.request.body ?? undefined;
  };
  return request(id) !== undefined && request(id) === request(lost);
}
