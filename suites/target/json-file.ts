import { jsonExtent } from '../json-extent.ts';
import { UsageError } from '../usage/usage-error.ts';

/** Far more than any file of the kit needs. */
const mostLevels = 100;

/**
 * Returns the value of a JSON text. Throws a UsageError with file, line and column if the text is not JSON. Also throws
 * if an object repeats a member, because one of the two would silently win. `JSON.parse` alone is not enough: its
 * errors quote the text, which may contain a key.
 */
export async function parseJson(source: string, path: string): Promise<unknown> {
  const { printParseErrorCode, visit } = await import('jsonc-parser');
  // Both parsers recurse once per level.
  if (jsonExtent(source).levels > mostLevels) {
    throw new UsageError(`${path}: expected at most ${mostLevels} levels of brackets, got more`);
  }
  const placeOf = (line: number, column: number) => `${path}:${line + 1}:${column + 1}`;
  const seen = new Set<string>();
  visit(
    source,
    {
      onError(error, _offset, _length, line, column) {
        throw new UsageError(`${placeOf(line, column)}: not JSON: ${inWords(printParseErrorCode(error))}`);
      },
      onObjectProperty(name, _offset, _length, line, column, objectPath) {
        const member = [...objectPath(), name];
        const known = seen.size;
        if (seen.add(JSON.stringify(member)).size > known) return;
        throw new UsageError(`${placeOf(line, column)}: ${nameOf(member)}: expected once, got it again`);
      },
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
  try {
    return JSON.parse(source);
  } catch {
    throw new UsageError(`${path}: not JSON`);
  }
}

/** Converts `CommaExpected` to `comma expected`. */
function inWords(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** Formats a path as `keys.primary.env` or `workspaces[0].slug`. An empty path is `the file`. */
export function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'the file' : name.replace(/^\./, '');
}
