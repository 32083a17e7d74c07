import { isNode, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { plain } from '../plain.ts';

/** A parsed file with the positions of its values. */
export interface Listed {
  value: unknown;
  /** Line number from 1 of a value. Null if the line is unknown. */
  lineOf(path: (string | number)[]): number | null;
  /** ` (requirement ID)`, or an empty text if the entry has no requirement. */
  nameOf(index: number): string;
}

/** Parses YAML or JSON. Throws a UsageError with the line number if parsing fails. */
export function readListed(text: string, name: string): Listed {
  const lines = new LineCounter();
  const document = readingYaml(name, () => parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  const [error] = document.errors;
  if (error !== undefined) {
    const [twice = ''] = error.code === 'DUPLICATE_KEY' ? (/[\w-]+/.exec(text.slice(error.pos[0])) ?? []) : [];
    const what = twice === '' ? error.message : `'${twice}' occurs twice`;
    throw new UsageError(`${name}, line ${lines.linePos(error.pos[0]).line}: ${plain(what)}`);
  }
  return {
    // Throws if aliases expand beyond the limit of the library, which protects memory.
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

/** Converts errors of the YAML library into usage errors, for example about too many aliases or too deep nesting. */
export function readingYaml<Read>(name: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw new UsageError(
      `${name} cannot be read as YAML: ${plain(error instanceof Error ? error.message : String(error))}`,
    );
  }
}
