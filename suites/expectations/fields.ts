import { type SchemaName, validators } from '../../fixtures/contract/validators.generated.js';
import type { Completed } from '../history/exchange.ts';
import { brief, isRecord, member } from '../json.ts';
import type { Answers, Want } from '../model/answers.ts';
import type { Finding, KitFinding } from './finding.ts';
import { allowed } from './responses.ts';
import { placeOf, wanted } from './schema-words.ts';

/** Most members to list if one is missing. */
const membersNamed = 12;

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
    const want = { schema: 'required' };
    return { at: { member: [path] }, want, expected: `${path} to be present`, actual, hint, exchanges: [exchange] };
  }
  const here = concerning.filter(({ instancePath }) => instancePath === error.instancePath);
  const path = placeOf(error.instancePath, true);
  const expected = `${path} to be ${wanted(here)}`;
  const actual = `${placeOf(error.instancePath)} ${brief(value)}`;
  const data = { at: { member: [path] }, want: { schema: error.keyword }, got: value };
  return { ...data, expected, actual, hint, exchanges: [exchange] };
}

const expecting = (field: string, want: Want): Answers => [{ at: { member: [field] }, want }];

/** Expects a member of the body to have exactly this value. */
export const fieldIs = (exchange: Completed, field: string, value: unknown, hint: string) =>
  allowed(exchange, expecting(field, { oneOf: [value] }), hint);

/** Expects a member of the body to be a non-empty string. */
export const fieldIsText = (exchange: Completed, field: string, hint: string) =>
  allowed(exchange, expecting(field, 'text'), hint);

/** Expects a member of the body to be an array of any content. */
export const fieldIsArray = (exchange: Completed, field: string, hint: string) =>
  allowed(exchange, expecting(field, { elements: 0 }), hint);

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

function valueAt(root: unknown, pointer: string): unknown {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((at, step) => (Array.isArray(at) ? at[Number(step)] : member(at, step)), root);
}
