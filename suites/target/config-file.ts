import { dirname, resolve } from 'node:path';
import type { Node } from 'yaml';
import type { z } from 'zod';
import { roles } from '../../fixtures/roles.ts';
import { effects } from '../../fixtures/side-effects.ts';
import { type TargetConfig, targetConfig } from '../../fixtures/target-config.ts';
import { jsonExtent } from '../json.ts';
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
  const value = await parseJson(source.replace(/^\uFEFF/, ''), path);
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
  const [first, second, third] = path;
  const secret = ['env', 'file', 'command'];
  if (first === undefined) return Object.keys(targetConfig.shape);
  if (first === 'keys') return second === undefined ? roles : [...secret, 'lifetime', 'baseUrl', 'workspace', 'board'];
  if (first === 'workspaces') return ['slug', 'board', 'otherBoard'];
  if (first === 'pace') return ['requestsPerMinute', 'concurrency', 'timeoutSeconds', 'maxWaitSeconds', 'maxBurst'];
  if (first === 'trace') return ['url'];
  if (first === 'headers') return secret;
  if (first === 'tls') return second === undefined ? ['cert', 'key', 'ca'] : secret;
  if (first === 'clock')
    return second === undefined ? ['advance'] : third === undefined ? ['url', 'headers', 'command'] : secret;
  return [];
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

/** Far more than any file of the kit needs. */
const mostLevels = 100;

/**
 * Returns the value of a JSON text. Throws a UsageError with file, line and column if the text is not JSON. Also throws
 * if an object repeats a member, because one of the two would silently win.
 */
export async function parseJson(source: string, path: string): Promise<unknown> {
  const { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  // Both parsers recurse once per level.
  if (jsonExtent(source).levels > mostLevels) {
    throw new UsageError(`${path}: expected at most ${mostLevels} levels of brackets, got more`);
  }
  const lineCounter = new LineCounter();
  const { contents, errors } = parseDocument(source, { schema: 'json', uniqueKeys: false, lineCounter });
  const placeOf = (offset = 0) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${path}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const assertUnique = (node: Node | null, above: readonly PropertyKey[]): void => {
    if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) if (isNode(item)) assertUnique(item, [...above, index]);
    }
    if (!isMap(node)) return;
    const names = new Set<string>();
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      const member = [...above, String(key.value)];
      if (names.has(String(key.value))) {
        throw new UsageError(`${placeOf(key.range?.[0])}: ${nameOf(member)}: expected once, got it again`);
      }
      names.add(String(key.value));
      if (isNode(value)) assertUnique(value, member);
    }
  };
  try {
    const value: unknown = JSON.parse(source);
    assertUnique(contents, []);
    return value;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Other messages of V8 quote the text, which may contain a key.
    const [, reason = '', offset] = /: (.+) in JSON at position (\d+)/.exec(String(error)) ?? [];
    const place = placeOf(offset === undefined ? errors[0]?.pos[0] : Number(offset));
    throw new UsageError(`${place}: not JSON${reason.replace(/^./, (letter) => `: ${letter.toLowerCase()}`)}`);
  }
}

/** Formats a path as `keys.primary.env` or `workspaces[0].slug`. An empty path is `the file`. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'the file' : name.replace(/^\./, '');
}
