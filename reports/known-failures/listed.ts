import { isNode, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { plain } from '../plain.ts';

/** A file's value, and where in the file its parts stand. */
export interface Listed {
  value: unknown;
  /** Line, from 1, of a part of the value; null where it cannot be told. */
  lineOf(path: (string | number)[]): number | null;
  /** ` (the id of its requirement)`, or nothing where an entry does not name one. */
  nameOf(index: number): string;
}

/** Reads YAML, and JSON, which is YAML too. Throws a UsageError with the line where it is neither. */
export function readListed(text: string, name: string): Listed {
  const lines = new LineCounter();
  const document = readingYaml(name, () => parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  const [error] = document.errors;
  if (error !== undefined) {
    const [twice = ''] = error.code === 'DUPLICATE_KEY' ? (/[\w-]+/.exec(text.slice(error.pos[0])) ?? []) : [];
    const what = twice === '' ? error.message : `'${twice}' is given twice`;
    throw new UsageError(`${name}, line ${lines.linePos(error.pos[0]).line}: ${plain(what)}`);
  }
  return {
    // Aliases that stand for more than the library bears would fill the memory.
    value: readingYaml(name, () => document.toJS()),
    lineOf(path) {
      const node = document.getIn(path, true);
      const start = isNode(node) ? node.range?.[0] : undefined;
      return start === undefined ? null : lines.linePos(start).line;
    },
    nameOf(index) {
      const requirement: unknown = document.getIn([index, 'requirement']);
      return typeof requirement === 'string' && requirement !== '' ? ` (${plain(requirement, 80)})` : '';
    },
  };
}

/**
 * What the library makes of a file. What it throws, such as for too many aliases or too deep a list, is a matter of the
 * file.
 */
export function readingYaml<Read>(name: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw new UsageError(
      `${name} cannot be read as YAML: ${plain(error instanceof Error ? error.message : String(error))}`,
    );
  }
}
