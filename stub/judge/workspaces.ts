import type { ClientFinding } from '../../fixtures/judgement.ts';
import type { Role } from '../../fixtures/roles.ts';
import { inEach, type Rule } from './rule.ts';
import { type Course, called, evidence, inSeconds, sinceReceipt, type Turn } from './turn.ts';

/** A workspace that a client came up with after it was asked to have one chosen. */
interface Choice {
  readonly course: Course;
  readonly refused: Turn;
  readonly turn: Turn;
  readonly workspace: string;
  /** Whether it is one of those that the refusal lists. */
  readonly offered: boolean;
  readonly first: boolean;
  readonly last: boolean;
}

/** The first workspace that a key names after a refusal, where the key had not named it before. */
function choicesIn(course: Course): Choice[] {
  const choices: Choice[] = [];
  const open = new Map<Role | null, Turn>();
  const named = new Set<string>();
  for (const turn of course.turns) {
    const { role } = turn.event;
    const workspace = turn.args?.workspace;
    if (typeof workspace === 'string' && workspace !== '') {
      const refused = open.get(role);
      const listed = refused?.reply.workspaces;
      if (refused !== undefined && Array.isArray(listed)) {
        const offered = listed.includes(workspace);
        if (offered) open.delete(role);
        if (!named.has(`${role} ${workspace}`)) {
          choices.push({
            course,
            refused,
            turn,
            workspace,
            offered,
            first: listed[0] === workspace,
            last: listed.at(-1) === workspace,
          });
        }
      }
      named.add(`${role} ${workspace}`);
    }
    if (turn.code === 'workspace_ambiguous') open.set(role, turn);
  }
  return choices;
}

const picked = ({ course, turn, workspace }: Choice): boolean =>
  course.person.some(({ act, subject, seq }) => act === 'picked' && subject === workspace && seq < turn.seq);

const hint =
  'Show the list to a person and pass what that person names as `workspace`. In a test, say so: person.picks(workspace).';

const shown = ({ course, refused, turn }: Choice): Pick<ClientFinding, 'evidence'> => ({
  evidence: evidence(course, refused, turn),
});

/**
 * Where a person is seen, the choice must be that person's. Where none is, a client that takes what was not offered, or the first or the last of
 * lists in different orders so that it ends in different workspaces, has not asked anybody.
 */
export const chosenByAPerson: Rule = (courses) => {
  const all = courses.flatMap(choicesIn);
  const attended = all.filter(({ course }) => course.session.attended);
  const invented = all.filter(({ course, offered }) => !course.session.attended && !offered);
  const alone = all.filter(({ course, offered }) => !course.session.attended && offered);
  const workspaces = new Set(alone.map(({ workspace }) => workspace));
  const place =
    workspaces.size > 1 ? (['first', 'last'] as const).find((end) => alone.every((one) => one[end])) : undefined;
  const chance = place === undefined ? undefined : alone[1];
  return {
    tried: attended.length > 0 || invented.length > 0 || alone.length > 1,
    findings: [
      ...attended
        .filter((choice) => !picked(choice))
        .map((choice) => ({
          expected: 'a workspace that a person picked',
          actual: `${called(choice.turn)} takes '${choice.workspace}', which nobody picked`,
          hint,
          ...shown(choice),
        })),
      ...invented.map((choice) => ({
        expected: 'one of the workspaces that the refusal lists, as a person picked it',
        actual: `${called(choice.turn)} takes '${choice.workspace}', which the refusal does not list`,
        hint,
        ...shown(choice),
      })),
      ...(chance === undefined
        ? []
        : [
            {
              expected: 'a workspace that a person picked, whatever the order of the list',
              actual: `the ${place} of the list each time, and so ${[...workspaces].map((slug) => `'${slug}'`).join(' and then ')}`,
              hint,
              ...shown(chance),
            },
          ]),
    ],
  };
};

const readingMs = 1000;

export const choicesShown: Rule = inEach((course) => {
  const choices = course.session.attended ? [] : choicesIn(course).filter(({ offered }) => offered);
  return {
    tried: choices.length > 0,
    findings: choices.flatMap((choice) => {
      const passed = sinceReceipt(choice.turn, choice.refused);
      const soon = passed < readingMs ? `${inSeconds(Math.max(0, passed))} after the refusal` : '';
      const first = choice.first ? 'it is the first of the list' : '';
      if (soon === '' && first === '') return [];
      const why = [soon, first].filter(Boolean).join(', and ');
      return [
        {
          expected: 'time for a person to read the list and choose',
          actual: `${called(choice.turn)} takes '${choice.workspace}': ${why}`,
          hint,
          ...shown(choice),
        },
      ];
    }),
  };
});
