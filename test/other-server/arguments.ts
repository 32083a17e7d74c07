import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import { toolNames } from '../../fixtures/contract/tools.ts';
import { type DeclaredArgument, declaredArguments } from '../declared-tool.ts';
import { type Answer, refusal, text } from './answer.ts';
import type { Json, JsonObject } from './json.ts';
import type { OtherServerOptions } from './options.ts';
import type { World } from './world.ts';

/** One argument of a tool. `problem` describes what is wrong with a value, if anything. */
export interface Field {
  name: string;
  required: boolean;
  problem(value: Json, options: OtherServerOptions): string | undefined;
}

type Issue = { path: string; message: string };

const separators: Record<OtherServerOptions['issuesPathStyle'], { parent: string; before: string }> = {
  dot: { parent: '', before: '' },
  pointer: { parent: '', before: '/' },
  jsonpath: { parent: '$', before: '$.' },
  rooted: { parent: 'arguments', before: 'arguments.' },
  fragment: { parent: '#', before: '#/' },
};

/** Removes optional arguments that are null, if null counts as absent. */
export const withoutNulls = (world: World, fields: readonly Field[], args: JsonObject): JsonObject => {
  if (world.options.nullOptional === 'refuse') return args;
  const optional = new Set(fields.filter(({ required }) => !required).map(({ name }) => name));
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => value !== null || !optional.has(name)));
};

/** Returns the refusal for invalid arguments, if any ("Tool refusals", `invalid_arguments`). */
export const checkArguments = (
  world: World,
  fields: readonly Field[],
  args: JsonObject,
  unknownAllowed: boolean,
): Answer | undefined => {
  const { options } = world;
  const style = separators[options.issuesPathStyle];
  const inPath = (name: string) => style.before + name;
  const elsewhere = (name: string) => (options.absentNamedBy === 'path' ? inPath(name) : style.parent);
  const issues: Issue[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(args, field.name) ? args[field.name] : undefined;
    if (value === undefined) {
      if (field.required) issues.push({ path: elsewhere(field.name), message: `"${field.name}" has to be given.` });
      continue;
    }
    const problem = field.problem(value, options);
    if (problem !== undefined) issues.push({ path: inPath(field.name), message: problem });
  }
  if (!unknownAllowed) {
    const known = new Set(fields.map(({ name }) => name));
    for (const name of Object.keys(args)) {
      if (!known.has(name))
        issues.push({ path: elsewhere(name), message: `"${name}" is not an argument of this tool.` });
    }
  }
  return issues.length === 0 ? undefined : invalidArguments(world, issues);
};

const invalidArguments = ({ options }: World, issues: Issue[]): Answer =>
  refusal(refusalCodes.invalidArguments, 'Mend the arguments and call again.', options.toolErrorOnInvalidArguments, {
    issues: options.multipleIssues === 'first' ? issues.slice(0, 1) : issues,
  });

/** Returns `invalid_arguments` for an argument that only the tool itself can check. */
export const invalidArgument = (world: World, name: string, message: string): Answer =>
  invalidArguments(world, [{ path: separators[world.options.issuesPathStyle].before + name, message }]);

const required = (name: string, problem: Field['problem']): Field => ({ name, required: true, problem });
const optional = (name: string, problem: Field['problem']): Field => ({ name, required: false, problem });

const notText = (value: Json) => (typeof value === 'string' ? undefined : 'Has to be a string.');
const emptyText = (value: Json) => notText(value) ?? (value === '' ? 'Must not be empty.' : undefined);

/** A workspace shorter than the specification allows. */
const shortText = (value: Json) =>
  notText(value) ?? ([...text(value)].length < limits.workspace.least ? 'Must not be empty.' : undefined);

const titleProblem = (value: Json, { title: { least, most }, titleUnit }: OtherServerOptions) => {
  if (typeof value !== 'string') return 'Has to be a string.';
  const length = titleUnit === 'utf16' ? value.length : [...value].length;
  return length >= least && length <= most ? undefined : `Has to be ${least} to ${most} characters long.`;
};

const dayProblem = (value: Json, options: OtherServerOptions) => {
  if (typeof value !== 'string' || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return 'Has to be a day, YYYY-MM-DD.';
  if (!options.impossibleDatesRefused) return undefined;
  const date = new Date(`${value}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  return exists ? undefined : 'There is no such day.';
};

const formats = ['posts', 'stories', 'shorts_clips', 'long_form', 'articles'];
const formatProblem = (value: Json) =>
  typeof value === 'string' && formats.includes(value) ? undefined : `Has to be one of ${formats.join(', ')}.`;

const countProblem = (value: Json) => (Number.isSafeInteger(value) ? undefined : 'Has to be a whole number.');

/** Argument of every tool except `credits.balance`. */
export const workspaceField = optional('workspace', shortText);

const queryField = (options: OtherServerOptions): Field => ({
  name: 'query',
  required: options.absentQuery === 'refuse',
  problem: notText,
});

const declaredField = ({ name, required, accepts }: DeclaredArgument): Field => ({
  name,
  required,
  problem: (value) => (accepts(value) ? undefined : 'Has another form.'),
});

/** Returns the arguments of each tool ("Endpoints"). Tools that this server has no code for have the declared ones. */
export const fieldsOf = (options: OtherServerOptions): Map<string, readonly Field[]> =>
  new Map<string, readonly Field[]>([
    ...toolNames.map((tool): [string, Field[]] => [tool, declaredArguments(tool).map(declaredField)]),
    [
      'content.create_request',
      [workspaceField, optional('title', titleProblem), required('day', dayProblem), required('format', formatProblem)],
    ],
    ['schedule.read', [workspaceField]],
    [
      'content.status',
      options.contentStatusNeedsArguments ? [workspaceField, required('span', notText)] : [workspaceField],
    ],
    ['library.search', [workspaceField, queryField(options)]],
    ['library.get', [workspaceField, required('id', notText), required('kind', notText)]],
    ['knowledge.search', [workspaceField, queryField(options)]],
    ['connections.status', [workspaceField]],
    ['credits.balance', []],
    [
      'images.generate',
      [
        workspaceField,
        required('shape', notText),
        required('count', countProblem),
        required('brief', notText),
        required('board', notText),
        optional('confirmation_id', (value, { emptyConfirmation }) =>
          emptyConfirmation === 'invalid' ? emptyText(value) : notText(value),
        ),
      ],
    ],
  ]);
