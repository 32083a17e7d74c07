import type { ToolName } from '../../../fixtures/contract/tools.ts';
import {
  bindingLeniencies,
  bodyLeniencies,
  identifierLeniencies,
  negotiationLeniencies,
  textLeniencies,
  valueLeniencies,
} from '../../../fixtures/leniencies/index.ts';
import type { ArgumentType } from '../../../fixtures/leniencies/model.ts';
import { argumentsOf, type Field } from '../../model/schema.ts';
import { normalizedSlug } from '../../situations/slugs.ts';
import type { Args, StoryRequest, TestedDeployment } from '../steps.ts';
import { isUsual } from './resembling.ts';

export interface ValidRequest extends StoryRequest {
  readonly args: Args;
}

/** A row of the table of mutations, applied to one tool. */
export interface Mutation {
  readonly row: string;
  /** Argument with a changed value; absent if the whole request changes. */
  readonly argument?: string;
  /** Returns the changed requests; empty if the row does not apply to these arguments. */
  readonly requests: (base: ValidRequest) => readonly StoryRequest[];
}

const typeOf = ({ type, pattern, values }: Field): ArgumentType =>
  type === 'integer' ? type : values ? 'enum' : pattern ? 'day' : 'text';

/** Returns whether the published type, pattern and enumeration admit a value. */
function isValid({ type, pattern, values }: Field, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === 'string' && (values?.includes(value) ?? pattern?.test(value) ?? true);
}

const withArgument = (base: ValidRequest, name: string, value: unknown): StoryRequest => ({
  ...base,
  args: { ...base.args, [name]: value },
});

/** Lengths above the maximum. */
const excesses = [1, 2, 57, 800];

/** Values that the schema of a field excludes by its presence or length. */
const outside = ({ required, minLength, maxLength }: Field): unknown[] => [
  ...(required ? [undefined] : []),
  ...(minLength > 0 ? [''] : []),
  ...(maxLength === undefined ? [] : excesses.map((excess) => 'x'.repeat(maxLength + excess))),
];

/** Values that the schema excludes, or that a common stack converts. */
function valuesOf(field: Field): Mutation[] {
  const { name, type } = field;
  const others = valueLeniencies
    .filter((row) => row.type === typeOf(field) || (type === 'string' && row.type === 'text'))
    .map(({ id, values }) => ({
      row: id,
      argument: name,
      requests: (base: ValidRequest) =>
        values(String(base.args[name] ?? 'main'))
          .filter((value) => !isValid(field, value))
          .map((value) => withArgument(base, name, value)),
    }));
  const missing = outside(field);
  const requests = (base: ValidRequest) => missing.map((value) => withArgument(base, name, value));
  return missing.length === 0 ? others : [...others, { row: 'schema', argument: name, requests }];
}

/** Identifiers that a lenient lookup resolves. */
function identifiersOf({ name }: Field, deployment: TestedDeployment): Mutation[] {
  if (name !== 'workspace' && name !== 'board') return [];
  const { workspace, otherWorkspace, otherAccountWorkspace, board, secondBoard } = deployment;
  const existing = [workspace, otherWorkspace, otherAccountWorkspace, board, secondBoard];
  const known = [...existing, deployment.otherBoard, deployment.otherAccountBoard];
  return identifierLeniencies.map(({ id, identifiers }) => ({
    row: id,
    argument: name,
    requests: (base) => {
      const accepted = base.args[name];
      if (typeof accepted !== 'string') return [];
      const isUnknown = (other: string) => !isUsual(other) && normalizedSlug(other) !== normalizedSlug(accepted);
      return identifiers(accepted)
        .filter((other) => !known.includes(other) && normalizedSlug(other) !== '')
        .map((other) => ({ ...withArgument(base, name, other), invented: isUnknown(other) ? [name] : [] }));
    },
  }));
}

/** Sizes of long texts, as a multiple of 1,000 characters. */
const thousands = [1, 4, 60];

/** Texts that match the schema, and that break decoders, databases and pattern languages. */
const unruly = [
  ...[
    '\u0000',
    '\ud800',
    '\u0007',
    '\ufeff',
    '__proto__',
    'constructor',
    '\u202e',
    '\u{10FFFF}',
    '1e999',
    '../',
    '%00',
  ],
  ...[`*( [x ' " % \\ {{1}}`, '\u{1F98A} \u{20BB7}', ...thousands.map((size) => 'What? '.repeat((size * 1000) / 6))],
];

/** Valid texts that a stack changes or fails on. */
function textsOf({ name }: Field): Mutation[] {
  if (!['query', 'kind', 'id'].includes(name)) return [];
  return [...textLeniencies, { id: 'text.unruly', texts: unruly }].map(({ id, texts }) => ({
    row: id,
    argument: name,
    requests: (base) => texts.map((text) => withArgument(base, name, text)),
  }));
}

/** Returns every row of the table that applies to a tool. */
export function mutationsOf(tool: ToolName, deployment: TestedDeployment): Mutation[] {
  const bodies = bodyLeniencies.map(
    (row): Mutation => ({
      row: row.id,
      requests: ({ args: _, ...base }) => row.bodies.map((body) => ({ ...base, body })),
    }),
  );
  // Each valid content request creates something, so that only requests to be refused go there.
  const negotiations = negotiationLeniencies.map(
    ({ id, headers, query }): Mutation => ({
      row: id,
      requests: (base) =>
        headers.map((some) => ({ ...base, headers: some, ...(query === undefined ? {} : { query }) })),
    }),
  );
  const bindings = bindingLeniencies.map(
    ({ id, bindings }): Mutation => ({
      row: id,
      requests: ({ args, ...base }) => bindings(args).map((changed) => ({ ...base, args: changed })),
    }),
  );
  // The specification does not define confirmation IDs of another type.
  const ruled = argumentsOf(tool).fields.filter(({ name }) => name !== 'confirmation_id');
  return [
    ...bodies,
    ...(tool === 'content.create_request' ? [] : negotiations),
    ...bindings,
    ...ruled.flatMap((field) => [...valuesOf(field), ...identifiersOf(field, deployment), ...textsOf(field)]),
  ];
}
