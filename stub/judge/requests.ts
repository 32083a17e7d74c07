import { argumentSchemas } from '../../fixtures/contract/arguments.ts';
import { isToolName } from '../../fixtures/contract/tools.ts';
import { keptOfRequest } from '../../fixtures/journal.ts';
import type { ClientFinding } from '../../fixtures/judgement.ts';
import { roles } from '../../fixtures/roles.ts';
import { marksOf } from '../../suites/history/redaction/marks.ts';
import { inEach, type Rule } from './rule.ts';
import { type Course, called, evidence, isMeant, type Turn } from './turn.ts';

/** What stands in the place of a key, and which part or form of it was sent. */
const keyMark = marksOf(roles);

const hasBody = ({ event }: Turn): boolean => event.request.bodyBytes > 0;

/** Bodies that are kept whole; of the others nobody can say what they are. */
const whole = ({ event }: Turn): boolean => event.request.bodyBytes <= keptOfRequest;

const findingsIn = (
  course: Course,
  turns: readonly Turn[],
  find: (turn: Turn) => Omit<ClientFinding, 'evidence'> | undefined,
): ClientFinding[] =>
  turns.flatMap((turn) => {
    const found = find(turn);
    return found === undefined ? [] : [{ ...found, evidence: evidence(course, turn) }];
  });

/** Places of a request that hold a key, other than the one where it belongs. */
function misplaced({ event }: Turn): string[] {
  const { path, headers, body } = event.request;
  return [
    ...(keyMark.test(path) ? ['the address'] : []),
    ...(body !== null && keyMark.test(body) ? ['the body'] : []),
    ...headers.flatMap(([name, value]) => {
      if (!keyMark.test(value)) return [];
      if (name !== 'authorization') return [`the header ${name}`];
      const how = misshapen(value);
      return how === null ? [] : [`the header ${name}, ${how}`];
    }),
  ];
}

/** What is wrong with a key in the header where it belongs; null where nothing is. */
function misshapen(value: string): string | null {
  const [, scheme, credential = ''] = /^(?:(\S+) +)?(.*)$/.exec(value) ?? [];
  if (scheme?.toLowerCase() !== 'bearer') return 'but not as "Bearer <key>"';
  const [mark = '', form] = keyMark.exec(credential) ?? [];
  if (form?.startsWith('characters ')) return 'but only a part of it';
  if (form !== undefined) return `but in ${form}`;
  return mark === credential ? null : 'but with more around it';
}

export const keyOnlyInAuthorization: Rule = inEach((course) => ({
  tried: course.turns.some((turn) => turn.event.role !== null || misplaced(turn).length > 0),
  findings: findingsIn(course, course.turns, (turn) => {
    const places = misplaced(turn);
    return places.length === 0
      ? undefined
      : {
          expected: 'the key as a bearer token in the header Authorization, and nowhere else',
          actual: `${called(turn)} carries a key in ${places.join(' and in ')}`,
          hint: 'Addresses, bodies and other headers end up in logs. Send "Authorization: Bearer <key>" alone.',
        };
  }),
}));

export const knownTools: Rule = inEach((course) => {
  const turns = course.turns.filter(isMeant);
  return {
    tried: turns.length > 0,
    findings: findingsIn(course, turns, ({ event }) => {
      const { method, path } = event.request;
      return method === 'POST' && event.tool !== null && isToolName(event.tool)
        ? undefined
        : {
            expected: 'POST {base_url}/api/v1/tools/<tool_name>, with the name of one of the nine tools',
            actual: `${method} ${path}`,
            hint: 'Check how the address is put together, and the name of the tool.',
          };
    }),
  };
});

export const jsonObjects: Rule = inEach((course) => {
  const turns = course.turns.filter((turn) => isMeant(turn) && hasBody(turn) && whole(turn));
  return {
    tried: turns.length > 0,
    findings: findingsIn(course, turns, (turn) =>
      turn.args !== null
        ? undefined
        : {
            expected: 'a JSON object, or no body',
            actual: `${called(turn)} has the body ${(turn.event.request.body ?? '').slice(0, 80)}`,
            hint: 'Serialise the arguments as one JSON object, once.',
          },
    ),
  };
});

export const contentType: Rule = inEach((course) => {
  const turns = course.turns.filter((turn) => isMeant(turn) && hasBody(turn));
  return {
    tried: turns.length > 0,
    findings: findingsIn(course, turns, (turn) => {
      const given = turn.event.request.headers.find(([name]) => name === 'content-type')?.[1];
      return given !== undefined && /^application\/json\s*(;|$)/i.test(given)
        ? undefined
        : {
            expected: 'the header content-type: application/json with every body',
            actual: `${called(turn)} has ${given === undefined ? 'none' : `content-type: ${given}`}`,
            hint: 'Other servers of this API may look at it; set it wherever a body is sent.',
          };
    }),
  };
});

export const validArguments: Rule = inEach((course) => {
  const turns = course.turns.filter((turn) => isMeant(turn) && whole(turn) && isToolName(turn.event.tool ?? ''));
  return {
    tried: turns.length > 0,
    findings: findingsIn(course, turns, (turn) => {
      const { tool } = turn.event;
      if (tool === null || !isToolName(tool) || turn.args === null) return undefined;
      const parsed = argumentSchemas[tool].safeParse(turn.args);
      if (parsed.success) return undefined;
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
      return {
        expected: `arguments of ${tool} that fit its schema`,
        actual: `${called(turn)}: ${issues.join('; ')}`,
        hint: 'Check arguments before they are sent: `tck describe` prints the schema to generate the check from.',
      };
    }),
  };
});
