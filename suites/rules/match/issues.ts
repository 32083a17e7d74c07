import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { body, type Completed } from '../../history/exchange.ts';
import { brief, isRecord } from '../../json.ts';
import { type Finding, first } from '../finding.ts';
import { refuses } from './responses.ts';

/**
 * Where validators may name a field: a missing or unknown property is often reported at its parent, by message only.
 */
export type NamedBy = 'path' | 'path or message';

/**
 * Whether the path of an issue is the field itself or ends in it, behind anything that could not be part of its name.
 */
export function pathNames(path: string, field: string): boolean {
  const bare = path.replace(/["'`\])}>]+$/, '');
  if (bare === field) return true;
  if (!bare.endsWith(field)) return false;
  return /[^\p{L}\p{N}_-]$/u.test(bare.slice(0, -field.length));
}

function issueNames(issue: unknown, field: string, by: NamedBy): boolean {
  if (!isRecord(issue)) return false;
  const { path, message } = issue;
  if (typeof path === 'string' && pathNames(path, field)) return true;
  if (Array.isArray(path) && path.at(-1) === field) return true;
  // As a word of its own: the id of a library item is not named by "invalid".
  return by === 'path or message' && typeof message === 'string' && message.split(/[^\w-]+/).includes(field);
}

/**
 * `issues` of an `invalid_arguments` name this field. A refusal without any issues is left to the requirement that asks
 * for them, so that one slip is not told for every field.
 */
export function namesField(
  exchange: Completed,
  field: string,
  by: NamedBy,
  hint = 'Name this field in issues[].path: it is the only invalid one.',
): Finding | undefined {
  const { issues } = body(exchange);
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  // Validators quote, escape or trim names that are not plain words.
  if (!/^[\w-]+$/.test(field)) return undefined;
  if (issues.some((issue) => issueNames(issue, field, by))) return undefined;
  return {
    expected: `an issue whose ${by} names the invalid field`,
    actual: `"${field}" is invalid, and the issues are ${brief(issues)}`,
    hint,
    exchanges: [exchange],
  };
}

/** An `invalid_arguments` that names the one field that is wrong. */
export function invalidField(exchange: Completed, field: string, by: NamedBy, hint: string): Finding | undefined {
  return first(refuses(exchange, refusalCodes.invalidArguments, hint), namesField(exchange, field, by));
}
