import { type SchemaName, validators } from '../../fixtures/contract/validators.generated.js';
import { type Answered, body } from '../exchange.ts';
import type { Verdict } from '../finding.ts';
import { brief, member } from '../json.ts';
import { placeOf, wanted } from './schema-words.ts';

/**
 * What the published description says of one field of a result: nothing where the field fits. `field` is the name of a
 * member of the body; errors elsewhere in the body belong to other requirements.
 */
export function fieldFits(exchange: Answered, schema: SchemaName, field: string, hint: string): Verdict {
  const validate = validators[schema];
  if (validate(exchange.answer.json)) return undefined;
  const concerning = (validate.errors ?? []).filter(
    ({ instancePath, params }) =>
      instancePath === `/${field}` ||
      instancePath.startsWith(`/${field}/`) ||
      (instancePath === '' && params.missingProperty === field),
  );
  const [error] = concerning;
  if (error === undefined) return undefined;
  const found = (at: string, value: unknown) => ({ actual: `${at} ${brief(value)}`, hint, exchanges: [exchange] });
  const value = valueAt(exchange.answer.json, error.instancePath);
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    const expected = `${placeOf(`${error.instancePath}/${name}`, true)} to be present`;
    const within = placeOf(error.instancePath) || 'the body';
    return { ...found(`no ${name} in ${within}:`, value), expected };
  }
  const here = concerning.filter(({ instancePath }) => instancePath === error.instancePath);
  const expected = `${placeOf(error.instancePath, true)} to be ${wanted(here)}`;
  return { ...found(placeOf(error.instancePath), value), expected };
}

/** A field of the body with just this value. */
export function fieldIs(exchange: Answered, field: string, value: unknown, hint: string): Verdict {
  const actual = body(exchange)[field];
  if (actual === value) return undefined;
  return {
    expected: `${field} ${brief(value)}`,
    actual: `${field} ${brief(actual)}`,
    hint,
    exchanges: [exchange],
  };
}

/** A text that is not empty. */
export function fieldIsText(exchange: Answered, field: string, hint: string): Verdict {
  const actual = body(exchange)[field];
  if (typeof actual === 'string' && actual !== '') return undefined;
  return {
    expected: `${field} to be a non-empty string`,
    actual: `${field} ${brief(actual)}`,
    hint,
    exchanges: [exchange],
  };
}

/** Values at one field that ought all to be different. */
export function allDifferent(exchanges: readonly Answered[], field: string, hint: string): Verdict {
  const seen = new Map<unknown, Answered>();
  for (const exchange of exchanges) {
    const value = body(exchange)[field];
    const before = seen.get(value);
    if (before !== undefined) {
      return {
        expected: `a ${field} of its own for each`,
        actual: `${field} ${brief(value)} twice`,
        hint,
        exchanges: [before, exchange],
      };
    }
    seen.set(value, exchange);
  }
  return undefined;
}

function valueAt(root: unknown, pointer: string): unknown {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((at, step) => (Array.isArray(at) ? at[Number(step)] : member(at, step)), root);
}
