import type { ToolName } from '../../../fixtures/contract/tools.ts';
import { bindingRows, bodyRows, oneRenamed, textRows } from '../../../fixtures/mutations/bodies.ts';
import { headerRows } from '../../../fixtures/mutations/headers.ts';
import { identifierRows } from '../../../fixtures/mutations/identifiers.ts';
import { capitalized, valueRows } from '../../../fixtures/mutations/values.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { argumentsOf, type Field } from '../../model/schema.ts';
import { normalizedSlug } from '../../model/world/scope.ts';
import { lastReader } from '../credits/costs-nothing.ts';
import { isKnown, type TestedDeployment } from '../deployment.ts';
import type { Args, Steps, StoryRequest } from '../steps.ts';

/** Shortest identifier whose variants with ordinary characters are unlikely to exist. */
const leastLetters = 8;

/** Whether an identifier has only ordinary characters, so that it may exist. */
export const isUsual = (id: string) => /^[\w-]+$/.test(id);

/**
 * Returns identifiers that only a lenient lookup equates with this one, grouped by row. Leaves out variants of
 * short identifiers, which may exist.
 */
export function allResembling(id: string, except: readonly string[] = []): string[][] {
  const mayBe = (other: string) => other !== id && other !== '' && (!isUsual(other) || id.length >= leastLetters);
  return Object.entries(identifierRows)
    .filter(([row]) => !['identifier.placeholder', ...except].includes(row))
    .map(([, { values }]) => values(id).filter(mayBe))
    .filter((others) => others.length > 0);
}

/** Returns one identifier per row, chosen by the purpose. */
export function resembling(t: Steps, purpose: string, id: string, except: readonly string[] = []): string[] {
  const turn = t.turn(`resembling ${purpose}`);
  const all = allResembling(id, except).map((others, index) => others[(turn + index) % others.length]);
  return [...new Set(all.filter((other) => other !== undefined))];
}

export interface ValidRequest extends StoryRequest {
  readonly args: Args;
}

/** A row of the table of mutations, applied to one tool. */
export interface Mutation {
  readonly row: string;
  /** Argument with a changed value; undefined if the whole request changes. */
  readonly argument: string | undefined;
  /** Returns the changed requests; empty if the row does not apply to these arguments. */
  readonly requests: (base: ValidRequest) => readonly StoryRequest[];
}

const typeOf = ({ type, pattern, values }: Field) =>
  type === 'integer' ? type : values ? 'enum' : pattern ? 'day' : 'text';

/** Returns whether the published type, pattern and enumeration admit a value. */
function isValid({ type, pattern, values }: Field, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === 'string' && (values?.includes(value) ?? pattern?.test(value) ?? true);
}

/** Applies each row of a table to a valid request, or to one argument of it. */
const applied = <R>(
  rows: Readonly<Record<string, R>>,
  requests: (row: R, base: ValidRequest) => readonly StoryRequest[],
  argument?: string,
): Mutation[] => Object.entries(rows).map(([row, one]) => ({ row, argument, requests: (base) => requests(one, base) }));

const withArgument = (base: ValidRequest, name: string, value: unknown): StoryRequest => ({
  ...base,
  args: { ...base.args, [name]: value },
});

const excesses = [1, 57, 800];

/** Values that the schema of a field excludes by its presence or length. */
const outside = ({ required, minLength, maxLength }: Field): unknown[] => [
  ...(required ? [undefined, null] : []),
  ...(minLength > 0 ? [''] : []),
  ...(maxLength === undefined ? [] : excesses.map((excess) => 'x'.repeat(maxLength + excess))),
];

/** Values that the schema excludes, or that a common stack converts. */
function valuesOf(field: Field): Mutation[] {
  const { name } = field;
  const ofType = Object.entries(valueRows).filter(([row]) => row.startsWith(`${typeOf(field)}.`));
  const wrong = ({ values }: (typeof valueRows)[string], base: ValidRequest) =>
    values(String(base.args[name] ?? 'main')).filter((value) => !isValid(field, value));
  const missing = outside(field);
  return [
    ...applied(
      Object.fromEntries(ofType),
      (row, base) => wrong(row, base).map((value) => withArgument(base, name, value)),
      name,
    ),
    ...(missing.length === 0 ? [] : eachOf(name, { schema: { values: missing } })),
  ];
}

/** Sends each value of each row as one argument. */
const eachOf = (name: string, rows: Readonly<Record<string, { readonly values: readonly unknown[] }>>) =>
  applied(rows, ({ values }, base) => values.map((value) => withArgument(base, name, value)), name);

/** Identifiers that a lenient lookup resolves. */
function identifiersOf({ name }: Field, deployment: TestedDeployment): Mutation[] {
  if (name !== 'workspace' && name !== 'board') return [];
  const like = ({ values }: (typeof identifierRows)[string], base: ValidRequest) => {
    const accepted = base.args[name];
    if (typeof accepted !== 'string') return [];
    const isUnknown = (other: string) => !isUsual(other) && normalizedSlug(other) !== normalizedSlug(accepted);
    return values(accepted)
      .filter((other) => !isKnown(deployment, other) && normalizedSlug(other) !== '')
      .map((other) => ({ ...withArgument(base, name, other), invented: isUnknown(other) ? [name] : [] }));
  };
  return applied(identifierRows, like, name);
}

/**
 * Texts that match the schema, and that break decoders, databases and pattern languages; the most common first. Some
 * databases store at most three bytes per character, and some indexes at most 1,000 characters.
 */
export const unruly = [
  ...['(', '*x', '\\', `\u0000\ud800 *( [x ' " % \\ {{1}}`, '\u{1F98A} \u{20BB7}', 'What? '.repeat(200)],
  ...['constructor', '__proto__', '\u0007', '\ufeff', '\u202e', '\u{10FFFF}', '1e999', '../', '%00'],
  ...['\u0000', '\ud800'],
  ...[700, 10_000].map((times) => 'What? '.repeat(times)),
];

export function mutationsOf(tool: ToolName, deployment: TestedDeployment): Mutation[] {
  const headers = applied(headerRows, ({ values, query }, base) =>
    values.map((some) => ({ ...base, headers: some, ...(query === undefined ? {} : { query }) })),
  );
  // Valid texts that a stack changes or fails on.
  const texts = { ...textRows, 'text.unruly': { values: unruly } };
  // The specification does not define confirmation IDs of another type.
  const ruled = argumentsOf(tool).fields.filter(({ name }) => name !== 'confirmation_id');
  return [
    ...applied(bodyRows, ({ values }, { args: _, ...base }) => values.map((body) => ({ ...base, body }))),
    // Each valid content request creates something, so that only requests to be refused go there.
    ...(tool === 'content.create_request' ? [] : headers),
    ...applied(bindingRows, ({ values }, { args, ...base }) =>
      values(args).map((changed) => ({ ...base, args: changed })),
    ),
    ...ruled.flatMap((field) => [
      ...valuesOf(field),
      ...identifiersOf(field, deployment),
      ...(['query', 'kind', 'id'].includes(field.name) ? eachOf(field.name, texts) : []),
    ]),
  ];
}

/** Most values of a row that a story sends. Of a longer row, it sends every second or third value. */
const most = 3;

/** Returns some of the values of a row. `purpose` decides where the selection starts. */
export function someOf<T>(t: Steps, purpose: string, all: readonly T[], atMost = most): readonly T[] {
  const step = Math.ceil(all.length / atMost);
  const first = t.turn(purpose) % step;
  return all.filter((_, index) => index % step === first);
}

/**
 * Returns requests with one value that the tool must refuse: of each row of the table, some. `primary` sends what the
 * schema excludes and the first of each row, because a valid request of the same key must have succeeded.
 */
export function badArgumentsOf(
  t: Steps,
  tool: ToolName,
  args: Args,
  { of = Object.keys(args), keyOf = () => 'primary' }: { of?: readonly string[]; keyOf?: KeyOf } = {},
): StoryRequest[] {
  let sent = 0;
  return mutationsOf(tool, t.deployment)
    .filter(({ row, argument = '' }) => of.includes(argument) && /^(schema|text\.from|enum|day|integer)/.test(row))
    .flatMap(({ row, argument, requests }) => {
      // Every tool has a workspace, so that its values alternate.
      const ofText = argument === 'workspace' ? 1 : 2;
      const atMost = row === 'schema' ? 8 : row.startsWith('text') ? ofText : most;
      const chosen = someOf(t, `${row} as ${argument} of ${tool}`, requests({ tool, args }), atMost);
      return chosen.map(({ args: changed = {} }, index) => {
        sent += 1;
        return placed(tool, changed, row === 'schema' || index === 0 ? 'primary' : keyOf(sent, tool));
      });
    });
}

/** Returns the arguments with one name capitalized, once for each name. Frameworks often ignore the case of names. */
export const namesCapitalized = (args: Args, names: readonly string[]): Args[] =>
  names.map((name) => oneRenamed(args, name, capitalized(name)));

/**
 * Roles that resolve to a workspace without the argument. Their requests do not count toward the limit of `primary`.
 */
const sharing: readonly Role[] = ['defaulted', 'sole', 'pinned'];

type KeyOf = (index: number, tool?: string) => Role;

/**
 * Returns a function that rotates over the keys, with `primary` only if there is no other. For the balance, excludes
 * the key that reads it only after a dispatch. Other keys may not reach the library item that `primary` found.
 */
export function keysInTurn(t: Steps): KeyOf {
  const keys = t.present(sharing);
  const readers = keys.filter((role) => role !== lastReader(t));
  const first = t.turn('keys in turn');
  return (index, tool) => {
    if (tool === 'library.get') return 'primary';
    const chosen = tool === 'credits.balance' ? readers : keys;
    return chosen[(first + index) % chosen.length] ?? 'primary';
  };
}

/** Returns a request with a key. Omits a valid workspace, except for `primary`. */
export function placed(tool: string, args: Args, as: Role): StoryRequest {
  const { workspace, ...unplaced } = args;
  const isWrong = typeof workspace !== 'string' || workspace === '';
  return { tool, args: as === 'primary' || isWrong ? args : unplaced, as };
}
