import { isRecord } from '../json.ts';
import type { NamedBy } from './world/violations.ts';

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
 * Returns whether an issue names this field, or may do so. A refusal without issues may: a separate requirement asks
 * for them, and one defect must not fail every field.
 */
export function mayName(issues: unknown, field: string, by: NamedBy): boolean {
  if (!Array.isArray(issues) || issues.length === 0) return true;
  // Validators may quote, escape or trim names that are not plain words.
  return !/^[\w-]+$/.test(field) || issues.some((issue) => issueNames(issue, field, by));
}
