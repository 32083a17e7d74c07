import { isToolName } from '../../fixtures/contract/tools.ts';
import { isRecord } from '../../suites/json.ts';

/** Maximum nesting of the listed members. */
const deepest = 5;

/** Paths of members in recorded responses, and in the responses of the stub to the same requests. */
export class MemberPaths {
  readonly #recorded = new Set<string>();
  readonly #actual = new Set<string>();

  add(tool: string, recorded: unknown, actual: unknown): void {
    if (!isToolName(tool)) return;
    collect(this.#recorded, `${tool} `, recorded);
    collect(this.#actual, `${tool} `, actual);
  }

  /** Paths that only the recording has, such as `schedule.read pieces[].cover`. Excludes members of such members. */
  unknown(): string[] {
    const isNew = (path: string) => !this.#actual.has(path);
    const parentOf = (path: string) => path.replace(/(?:\[\]|[. ][^.[ ]*)$/, '');
    const isTop = (path: string) => !this.#recorded.has(parentOf(path)) || this.#actual.has(parentOf(path));
    return [...this.#recorded].filter((path) => isNew(path) && isTop(path) && !path.endsWith('[]'));
  }
}

function collect(paths: Set<string>, path: string, value: unknown, depth = 0): void {
  if (depth > deepest) return;
  if (Array.isArray(value)) {
    // An empty list shows no members.
    if (value.length > 0) paths.add(`${path}[]`);
    for (const element of value) collect(paths, `${path}[]`, element, depth + 1);
  }
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    // Other names can be values, such as IDs.
    if (!/^[a-z]\w{0,39}$/i.test(name)) continue;
    const below = path.endsWith(' ') ? `${path}${name}` : `${path}.${name}`;
    paths.add(below);
    collect(paths, below, member, depth + 1);
  }
}
