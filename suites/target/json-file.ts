import { jsonExtent } from '../json-extent.ts';
import { UsageError } from '../usage/usage-error.ts';

/** Far more than any file for the kit needs. */
const mostLevels = 100;

/**
 * The value of a JSON text. Throws a UsageError that names the file, the line and the column where it is none, and
 * where an object has a member twice, of which one would silently win. The other parser only says where it stopped:
 * `JSON.parse` quotes the text, in which someone may have put a key.
 */
export async function parseJson(source: string, path: string): Promise<unknown> {
  const { printParseErrorCode, visit } = await import('jsonc-parser');
  // Both parsers go one level down the stack for each level of the text.
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

/** `CommaExpected` as `comma expected`. */
function inWords(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** `keys.primary.env`, `workspaces[0].slug`; the whole file for an empty path. */
export function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'the file' : name.replace(/^\./, '');
}
