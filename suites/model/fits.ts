import { type SchemaName, type ValidationError, validators } from '../../fixtures/contract/validators.generated.js';
import type { Completed } from '../exchange/exchange.ts';
import { brief, isRecord, member } from '../json.ts';
import type { KitFinding } from './finding.ts';

/** Most members to list if one is missing. */
const membersNamed = 12;

/**
 * Validates one member of the body, `field`, against the OpenAPI description. Returns undefined if the member is valid.
 * Errors elsewhere in the body belong to other requirements.
 */
export function unfit(exchange: Completed, schema: SchemaName, field: string): KitFinding | undefined {
  const validate = validators[schema];
  if (validate(exchange.response.json)) return undefined;
  const concerning = (validate.errors ?? []).filter(
    ({ instancePath, params }) =>
      instancePath === `/${field}` ||
      instancePath.startsWith(`/${field}/`) ||
      (instancePath === '' && params.missingProperty === field),
  );
  const [error] = concerning;
  if (error === undefined) return undefined;
  const value = valueBehind(exchange.response.json, error.instancePath);
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    const within = placeOf(error.instancePath) || 'the body';
    const members = isRecord(value) ? Object.keys(value).slice(0, membersNamed).join(', ') : '';
    const actual = `no ${name} in ${within}, which has ${members === '' ? 'no member' : members}`;
    const path = placeOf(`${error.instancePath}/${name}`, true);
    const want = { schema: 'required' };
    return { at: { member: [path] }, want, expected: `${path} to be present`, actual };
  }
  const here = concerning.filter(({ instancePath }) => instancePath === error.instancePath);
  const path = placeOf(error.instancePath, true);
  const expected = `${path} to be ${wanted(here)}`;
  const actual = `${placeOf(error.instancePath)} ${brief(value)}`;
  return { at: { member: [path] }, want: { schema: error.keyword }, got: value, expected, actual };
}

/** Returns the steps of a JSON pointer. */
const stepsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const valueBehind = (root: unknown, pointer: string) =>
  stepsOf(pointer).reduce((at, step) => (Array.isArray(at) ? at[Number(step)] : member(at, step)), root);

/** Samples that identify patterns of the OpenAPI description, and the words for these patterns. */
const samples: readonly (readonly [sample: string, words: string])[] = [
  ['2027-01-05T09:00:00Z', 'an ISO 8601 date and time in UTC (such as 2027-01-05T09:00:00Z)'],
  ['2027-01-05', 'a date as YYYY-MM-DD'],
];

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** Describes what the errors of a validator at one place require, as a phrase after "to be". */
export function wanted(errors: readonly ValidationError[]): string {
  const alternatives = errors.some(isChoice);
  const single = errors.filter((error) => !isChoice(error));
  // A constant or an enum implies the type.
  const values = single.filter(({ keyword }) => keyword === 'const' || keyword === 'enum');
  const telling = alternatives || values.length === 0 ? single : values;
  const words = [...new Set(telling.map(wantedBy))];
  return words.join(alternatives ? ' or ' : ' and ') || 'as the published description says';
}

function isChoice({ keyword }: ValidationError): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

function wantedBy({ keyword, params, message }: ValidationError): string {
  switch (keyword) {
    case 'type':
      return [params.type]
        .flat()
        .map((type) => types[String(type)] ?? String(type))
        .join(' or ');
    case 'pattern':
      return textLike(String(params.pattern));
    case 'enum':
      return Array.isArray(params.allowedValues) ? params.allowedValues.map((value) => brief(value)).join(' or ') : '';
    case 'const':
      return brief(params.allowedValue);
    case 'minimum':
      return `at least ${String(params.limit)}`;
    case 'minLength':
      return params.limit === 1 ? 'a non-empty string' : `at least ${String(params.limit)} characters long`;
    case 'minItems':
      return params.limit === 1 ? 'a non-empty array' : `at least ${String(params.limit)} entries long`;
    default:
      return `as the published description says (${message ?? keyword})`;
  }
}

function textLike(pattern: string): string {
  const known = samples.find(([sample]) => new RegExp(pattern).test(sample));
  return known?.[1] ?? `a string that matches ${pattern}`;
}

/** Converts a JSON pointer to the notation of programs: `items[0].pinned`. With `any`, omits the indexes. */
export function placeOf(pointer: string, any = false): string {
  return stepsOf(pointer)
    .map((step, index) => (/^\d+$/.test(step) ? `[${any ? '' : step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}
