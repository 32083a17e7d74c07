import type { Node } from 'yaml';
import { jsonExtent } from '../json-extent.ts';
import { UsageError } from '../usage/usage-error.ts';

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
export function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'the file' : name.replace(/^\./, '');
}
