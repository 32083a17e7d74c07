import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { readingTools, type ToolName, toolNames, tools } from '../../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { body, type Completed, isRefusal } from '../../exchange/exchange.ts';
import { isRecord, type JsonRecord } from '../../json.ts';
import { counted } from '../../usage/counted.ts';
import { type Answers, refusal } from '../answers.ts';
import { type Control, type Rule, row, type Step, sameRequest } from '../rule.ts';
import { argumentsOf, type Field } from '../schema.ts';
import { isWorkspaceRefusal } from '../world/plain.ts';
import type { Seen } from '../world/seen.ts';
import { type Broken, brokenFields, mayName, pathNames, type Violation } from '../world/violations.ts';

const { invalidArguments } = refusalCodes;

/** One way in which an argument violates its schema. */
interface Way {
  readonly how: Violation;
  /** End of the requirement ID: `wrong-type` for `library.kind-wrong-type-refused`. */
  readonly suffix: string;
  /** The refused argument, in the statement. */
  readonly what: string;
  /** What to change if the server accepts these arguments. */
  readonly hint: string | ((args: JsonRecord) => string);
  readonly only?: (value: unknown) => boolean;
  /** What the requirement reads beside the section of the tool. */
  readonly limit?: string;
}

/** Whether a text has as many code points as UTF-16 units, and keeps its length when it is normalized. */
export const isCountedAlike = (value: unknown) => /^(?:[ -~]|ü)*$/.test(String(value));

/**
 * Whether a value is plain ASCII. The specification does not define how patterns treat other characters, or a trailing
 * line break.
 */
const isAscii = (value: unknown) => /^[ -~]*$/.test(String(value).replace(/\n(?=.)/g, ' '));

/** Returns a name without what lenient parsers ignore. */
const withoutCase = (name: string) => name.toLowerCase().replace(/[-_ ]/g, '');

/** Returns the ways in which an argument may violate its published schema. */
function waysOf({ name, type, required, minLength, maxLength, pattern, values }: Field): Way[] {
  const a = /^[aeiou]/.test(name) ? 'an' : 'a';
  const ways: (Way | false | undefined)[] = [
    required && {
      how: 'missing',
      suffix: 'missing',
      what: `a request without \`${name}\``,
      hint: (args) => {
        const other = Object.keys(args).find((key) => key !== name && withoutCase(key) === withoutCase(name));
        return other === undefined ? `Require ${name}.` : `${other} is taken for ${name}: compare names exactly.`;
      },
    },
    {
      how: 'type',
      suffix: 'wrong-type',
      what: `${a} \`${name}\` that is not a ${type === 'integer' ? 'number' : 'string'}`,
      hint: ({ [name]: value }) => {
        const given = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
        return `${given.replace('a', 'A')} is taken for a ${type}: refuse it instead of converting it.`;
      },
    },
    type === 'integer' && {
      how: 'fraction',
      suffix: 'fraction',
      what: `a fractional \`${name}\``,
      hint: 'Accept only whole numbers; do not round.',
    },
    minLength > 0 && {
      how: 'too-short',
      suffix: 'empty',
      what: minLength === 1 ? `an empty \`${name}\`` : `${a} \`${name}\` of ${counted(minLength - 1, 'character')}`,
      hint: `Require at least ${counted(minLength, 'character')}: an empty ${name} is not an omitted one.`,
      limit: `${name} length`,
    },
    maxLength !== undefined && {
      how: 'too-long',
      suffix: 'too-long',
      what: `${a} \`${name}\` of ${counted(maxLength + 1, 'character')}`,
      hint: `Refuse ${a} ${name} of more than ${maxLength} characters; do not truncate it.`,
      only: isCountedAlike,
      limit: `${name} length`,
    },
    values && {
      how: 'value',
      suffix: 'unknown',
      what: `an unknown \`${name}\``,
      hint: `Accept only the ${values.length} documented values of ${name}, exactly as they are spelled.`,
    },
    ...(pattern === undefined ? [] : patternWays(name, pattern)),
  ];
  return ways.filter((way) => way !== false && way !== undefined);
}

/** A value may have the wrong form, or the right form with more text before or after it. */
function patternWays(name: string, pattern: RegExp): Way[] {
  const inside = new RegExp(pattern.source.replace(/^\^|\$$/g, ''), 'u');
  const contains = (value: unknown) => inside.test(String(value));
  const hint = `Match ${name} with ${pattern.source}, anchored at both ends.`;
  return [
    {
      how: 'pattern',
      suffix: 'pattern',
      what: `a \`${name}\` that does not match \`${pattern.source}\``,
      hint,
      only: (value) => isAscii(value) && !contains(value),
    },
    {
      how: 'pattern',
      suffix: 'anchored',
      what: `a \`${name}\` with text before or after a match of \`${pattern.source}\``,
      hint,
      only: (value) => isAscii(value) && contains(value),
    },
  ];
}

const propertyWay: Way = {
  how: 'property',
  suffix: 'unknown-property',
  what: 'an unknown property',
  hint: 'Refuse every property that the schema does not define, whatever its name and value.',
};

const isOfWorkspaceType = ({ field, how }: Broken) => field === 'workspace' && how === 'type';

/** A server that looks for the workspace before it checks the arguments may not find one that is not a string. */
const isNotFound = (exchange: Completed) =>
  isWorkspaceRefusal(exchange) && !isRefusal(exchange, refusalCodes.workspaceAmbiguous);

/** Control: the request with other values of the invalid fields, or without them, succeeded. */
function withoutError(exchange: Completed, seen: Seen): Control {
  const broken = brokenFields(exchange);
  // A server that looks for the workspace first may take a value that is not a string for none.
  const isUnnamed = isRefusal(exchange, refusalCodes.workspaceAmbiguous) && broken.some(isOfWorkspaceType);
  if (isUnnamed && !seen.places.checksArgumentsFirst) return false;
  const texts = exchange.request.tool === 'images.generate' ? 'same' : 'any';
  return sameRequest(exchange, seen, { texts, except: broken.map(({ field }) => field) });
}

/** The server refuses a request whose argument violates the schema in one way, and names the argument. */
function refused(id: RequirementId, tool: readonly ToolName[], field: string | undefined, way: Way): Step {
  const { how, what, hint, only, limit } = way;
  const section = tool.length === 1 ? `${tool[0]}, request` : 'Endpoints, first paragraph';
  const named = `and name the ${field === undefined ? 'property' : 'field'}`;
  const ending = tool.length === 1 ? named : 'on every tool that only reads';
  const isHere = (broken: Broken) => broken.how === how && (field === undefined || broken.field === field);
  return {
    id,
    must: `The server MUST return ${quoted.invalidArguments} for ${what}, ${ending}.`,
    source: limit === undefined ? section : `${section}; Limits, ${limit}`,
    // The second call of images.generate has requirements of its own.
    when: {
      who: ['key'],
      tool,
      body: ['object', 'omitted'],
      ...(tool.includes('images.generate') ? { presents: false } : {}),
      broken: { how, ...(field === undefined ? {} : { field }), ...(only === undefined ? {} : { only }) },
    },
    control: withoutError,
    answers: (exchange): Answers => {
      const broken = brokenFields(exchange).find(isHere);
      if (broken === undefined || (isOfWorkspaceType(broken) && isNotFound(exchange))) return [];
      return [refusal(invalidArguments), { at: { member: ['issues'] }, want: { names: broken.field, by: broken.by } }];
    },
    hint: ({ request }, { at }) =>
      at === 'response'
        ? typeof hint === 'string'
          ? hint
          : hint(request.args ?? {})
        : 'Name this field in issues[].path: it is the only invalid one.',
  };
}

/** IDs are not arguments whose form the specification shows. */
const isRuled = ({ name }: Field) => name !== 'confirmation_id';

/** Returns the requirements that a tool refuses invalid arguments. The workspace of reading tools is one topic. */
function refusedArgumentsOf(tool: ToolName): Step[] {
  const { topic } = tools[tool];
  const { fields, closed } = argumentsOf(tool);
  const own = fields.filter((field) => isRuled(field) && !(field.name === 'workspace' && isReading(tool)));
  return [
    ...own.flatMap((field) =>
      waysOf(field).map((way) => refused(`${topic}.${field.name}-${way.suffix}-refused`, [tool], field.name, way)),
    ),
    ...(closed ? [refused(`${topic}.${propertyWay.suffix}-refused`, [tool], undefined, propertyWay)] : []),
  ];
}

/** Returns the IDs of the requirements on these arguments, default all, for stories that send invalid ones. */
export const argumentIds = (tool: ToolName, ...fields: readonly string[]): RequirementId[] =>
  refusedArgumentsOf(tool)
    .filter(({ when: { broken } }) => fields.length === 0 || fields.includes(broken?.field ?? 'unknown property'))
    .map(({ id }) => id);

const isReading = (tool: ToolName) => readingTools.some((name) => name === tool);

/** The requirements that reading tools refuse an invalid workspace. */
const refusedWorkspaces: readonly Step[] = argumentsOf('schedule.read')
  .fields.filter(({ name }) => name === 'workspace')
  .flatMap((field) =>
    waysOf(field).map((way) => refused(`workspaces.${way.suffix}-refused`, readingTools, 'workspace', way)),
  );

export const refusedArguments: readonly Step[] = [...refusedWorkspaces, ...toolNames.flatMap(refusedArgumentsOf)];

/** Arguments that a server may check in a separate step, before the others. */
const apart = ['workspace', 'confirmation_id'];

const badFields = (exchange: Completed) => brokenFields(exchange).filter(({ field }) => !apart.includes(field));

/** Whether an issue names the workspace, although the argument matches the schema. */
function isOfWorkspace(exchange: Completed): boolean {
  if (brokenFields(exchange).some(({ field }) => field === 'workspace')) return false;
  const issues: unknown[] = [body(exchange).issues ?? []].flat();
  return issues.some((issue) => isRecord(issue) && pathNames(String(issue.path), 'workspace'));
}

const issuesAt = { member: ['issues'] } as const;

/** Forms of the refusal of arguments. */
export const issues: readonly Rule[] = [
  row('arguments.issues-listed', {
    must: `In a refusal with ${quoted.invalidArguments}, the server MUST send \`issues\` as a non-empty array.`,
    source: `Error envelopes, tool refusal; Errors, ${invalidArguments}`,
    applies: (exchange) => isRefusal(exchange, invalidArguments),
    answers: [{ at: issuesAt, want: { elements: 1 } }],
    hint: 'In issues, list each invalid field and why it is invalid, so that clients know what to correct.',
  }),
  row('arguments.all-fields-named', {
    should: 'The server SHOULD name every invalid field in `issues`.',
    source: `Errors, ${invalidArguments}`,
    // A server may use this code for an inaccessible workspace too, before it checks the other arguments.
    applies: (exchange) =>
      isRefusal(exchange, invalidArguments) &&
      [body(exchange).issues ?? []].flat().length > 0 &&
      badFields(exchange).length > 1 &&
      !isOfWorkspace(exchange),
    answers: (exchange) => {
      const bad = badFields(exchange);
      const isNamed = bad.some(({ field, by }) => mayName(body(exchange).issues, field, by));
      // A tool that changes something may accept the unnamed field. Another requirement covers that error.
      const isExcused = isNamed && !readingTools.some((tool) => tool === exchange.request.tool);
      return isExcused ? [] : bad.map(({ field, by }) => ({ at: issuesAt, want: { names: field, by } }));
    },
    hint: (exchange) => {
      const fields = badFields(exchange).map(({ field }) => field);
      return `List every invalid field, not only the first: ${fields.join(' and ')} are invalid.`;
    },
  }),
];
