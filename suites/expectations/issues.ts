import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed } from '../history/exchange.ts';
import { brief, isRecord } from '../json.ts';
import type { NamedBy } from '../situations/violations.ts';
import { type Finding, first } from './finding.ts';
import { refuses } from './responses.ts';

/** Whether the path of an issue is the field, or ends with a separator and the field. */
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
  // Matches whole words only: "invalid" does not name the field `id`.
  return by === 'path or message' && typeof message === 'string' && message.split(/[^\w-]+/).includes(field);
}

/**
 * Expects an issue of an `invalid_arguments` refusal to name this field. Accepts a refusal without issues: a separate
 * requirement asks for them, and one defect must not fail every field.
 */
export function namesField(
  exchange: Completed,
  field: string,
  by: NamedBy,
  hint = 'Name this field in issues[].path: it is the only invalid one.',
): Finding | undefined {
  const { issues } = body(exchange);
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  // Validators may quote, escape or trim names that are not plain words.
  if (!/^[\w-]+$/.test(field)) return undefined;
  if (issues.some((issue) => issueNames(issue, field, by))) return undefined;
  return {
    at: { member: ['issues'] },
    want: { names: field, by },
    got: issues,
    expected: `an issue whose ${by} names the invalid field`,
    actual: `"${field}" is invalid, and the issues are ${brief(issues)}`,
    hint,
    exchanges: [exchange],
  };
}

/** Expects an `invalid_arguments` refusal that names the only invalid field. */
export function invalidField(exchange: Completed, field: string, by: NamedBy, hint: string): Finding | undefined {
  return first(refuses(exchange, refusalCodes.invalidArguments, hint), namesField(exchange, field, by));
}
