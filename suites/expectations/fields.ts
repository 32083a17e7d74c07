import { type SchemaName, validators } from '../../fixtures/contract/validators.generated.js';
import { body, type Completed } from '../history/exchange.ts';
import { brief, isRecord, member } from '../json.ts';
import type { Finding, KitFinding } from './finding.ts';
import { placeOf, wanted } from './schema-words.ts';

/** Most members to list if one is missing. */
const membersNamed = 12;

/** A finding about one member of the body. */
function wrongMember(
  exchange: Completed,
  path: string,
  want: unknown,
  got: unknown,
  words: Pick<Finding, 'expected' | 'actual' | 'hint'>,
): Finding {
  return { at: { member: [path] }, want, got, ...words, exchanges: [exchange] };
}

/**
 * Validates one member of the body, `field`, against the OpenAPI description. Returns undefined if the member is valid.
 * Errors elsewhere in the body belong to other requirements.
 */
export function fieldFits(exchange: Completed, schema: SchemaName, field: string, hint: string): Finding | undefined {
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
  const value = valueAt(exchange.response.json, error.instancePath);
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    const within = placeOf(error.instancePath) || 'the body';
    const members = isRecord(value) ? Object.keys(value).slice(0, membersNamed).join(', ') : '';
    const actual = `no ${name} in ${within}, which has ${members === '' ? 'no member' : members}`;
    const path = placeOf(`${error.instancePath}/${name}`, true);
    return wrongMember(exchange, path, { schema: 'required' }, undefined, {
      expected: `${path} to be present`,
      actual,
      hint,
    });
  }
  const here = concerning.filter(({ instancePath }) => instancePath === error.instancePath);
  const path = placeOf(error.instancePath, true);
  const expected = `${path} to be ${wanted(here)}`;
  const actual = `${placeOf(error.instancePath)} ${brief(value)}`;
  return wrongMember(exchange, path, { schema: error.keyword }, value, { expected, actual, hint });
}

/** Expects a member of the body to have exactly this value. */
export function fieldIs(exchange: Completed, field: string, value: unknown, hint: string): Finding | undefined {
  const actual = body(exchange)[field];
  if (actual === value) return undefined;
  const shown = lookAlike(value, actual) ? spelled : brief;
  const words = { expected: `${field} ${shown(value)}`, actual: `${field} ${shown(actual)}`, hint };
  return wrongMember(exchange, field, { oneOf: [value] }, actual, words);
}

/** Whether two texts may look identical to a person. */
function lookAlike(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.normalize('NFKC') === b.normalize('NFKC');
}

/** Formats a text, with every character outside printable ASCII as a code point. */
function spelled(text: unknown): string {
  return brief(text).replace(/[^ -~]/gu, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A finding that a member of the body holds another value. `why` completes what is expected. */
export function wrongValue(path: readonly string[], want: unknown, got: unknown, hint: string, why = ''): KitFinding {
  const name = path.join('.');
  return {
    at: { member: path },
    want: { oneOf: [want] },
    got,
    expected: `${name} ${brief(want)}${why}`,
    actual: `${name} ${brief(got)}`,
    hint,
  };
}

/** Expects a member of the body to be a non-empty string. */
export function fieldIsText(exchange: Completed, field: string, hint: string): Finding | undefined {
  const actual = body(exchange)[field];
  if (typeof actual === 'string' && actual !== '') return undefined;
  const words = { expected: `${field} to be a non-empty string`, actual: `${field} ${brief(actual)}`, hint };
  return wrongMember(exchange, field, 'text', actual, words);
}

/** Expects a member of the body to be an array of any content. */
export function fieldIsArray(exchange: Completed, field: string, hint: string): Finding | undefined {
  const actual = body(exchange)[field];
  if (Array.isArray(actual)) return undefined;
  const words = { expected: `${field} to be an array`, actual: `${field} ${brief(actual)}`, hint };
  return wrongMember(exchange, field, { type: 'array' }, actual, words);
}

function valueAt(root: unknown, pointer: string): unknown {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((at, step) => (Array.isArray(at) ? at[Number(step)] : member(at, step)), root);
}
