import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { effects } from '../../fixtures/side-effects.ts';
import { type TargetConfig, targetConfig } from '../../fixtures/target-config.ts';
import { member } from '../json.ts';
import { megabyte, readText, whyNotRead } from '../usage/read-file.ts';
import { didYouMean, UsageError } from '../usage/usage-error.ts';

export interface ConfigFile {
  config: TargetConfig;
  folder: string;
}

/** Reads and validates a configuration. Throws a UsageError that names the file and the field. */
export async function readConfigFile(path: string, cwd: string): Promise<ConfigFile> {
  const full = resolve(cwd, path);
  let source: string;
  try {
    source = await readText(full, megabyte);
  } catch (error) {
    throw new UsageError(`--config: '${path}' ${whyNotRead(error)}`);
  }
  const value = parseJson(source, path);
  const result = targetConfig.safeParse(value);
  if (result.success) return { config: result.data, folder: dirname(full) };
  const lines = result.error.issues.flatMap((issue) => describeIssue(issue, value, []));
  throw new UsageError([`${path} is not a valid configuration:`, ...lines.map((line) => `  ${line}`)].join('\n'));
}

type Issue = z.core.$ZodIssue;

/** Returns one line per error: the field, the expected value and the actual value. */
function describeIssue(issue: Issue, root: unknown, above: readonly PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = knownNames(path);
    return issue.keys.map((key) => {
      const what = path.length === 1 && path[0] === 'keys' ? 'unknown role' : 'unknown field';
      const names = known.length === 0 ? '' : `${didYouMean(key, known)} (known: ${known.join(', ')})`;
      return `${nameOf([...path, key])}: ${what}${names}`;
    });
  }
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.find((issues) =>
      issues.every((one) => one.path.length > 0 || one.code !== 'invalid_type'),
    );
    if (inner !== undefined) return inner.flatMap((one) => describeIssue(one, root, path));
    return [`${nameOf(path)}: expected ${issue.message}, got ${shown(path, root)}`];
  }
  const value = valueAt(root, path);
  const near = path[0] === 'allow' && typeof value === 'string' ? didYouMean(value, effects) : '';
  return [`${nameOf(path)}: expected ${issue.message}, got ${shown(path, root)}${near}`];
}

/** Returns the names that the object at a path may contain. */
function knownNames(path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = z.toJSONSchema(targetConfig);
  for (const part of path) {
    at = member(at, 'properties', String(part)) ?? member(at, 'additionalProperties') ?? member(at, 'items');
    const choices = member(at, 'anyOf');
    if (Array.isArray(choices)) at = choices.find((choice) => member(choice, 'properties') !== undefined);
  }
  const names = member(at, 'propertyNames', 'enum');
  return Array.isArray(names) ? names : Object.keys(member(at, 'properties') ?? {});
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/**
 * Describes the actual value. Under `keys`, `headers`, `tls` and `clock`, the value may be a secret, so only its type
 * is shown.
 */
function shown(path: readonly PropertyKey[], root: unknown): string {
  const value = valueAt(root, path);
  if (value === undefined) return '(missing)';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  const maySecret = ['keys', 'headers', 'tls', 'clock'].includes(String(path[0]));
  if (maySecret) return value === '' ? 'an empty string' : typeof value === 'string' ? 'a string' : `a ${typeof value}`;
  const written = JSON.stringify(value);
  return written.length > 60 ? `${written.slice(0, 60)}…` : written;
}

/**
 * Returns the value of a JSON text. Of repeated members, the last one counts, as in other programs. Throws a UsageError
 * if the text is not JSON, with line and column if known.
 */
function parseJson(source: string, path: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    // Messages of V8 without a position quote the text, which may contain a key.
    const [, reason = '', line, column] = /: (.+) in JSON .*\(line (\d+) column (\d+)\)$/.exec(String(error)) ?? [];
    const place = line === undefined ? path : `${path}:${line}:${column}`;
    throw new UsageError(`${place}: not JSON${reason.replace(/^./, (letter) => `: ${letter.toLowerCase()}`)}`);
  }
}

/** Formats a path as `keys.primary.env` or `workspaces[0].slug`. An empty path is `the file`. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'the file' : name.replace(/^\./, '');
}
