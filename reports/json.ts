import schema from '../fixtures/report.schema.json' with { type: 'json' };
import type { Cause } from '../suites/causes/causes.ts';
import type { ReportedFinding, RunResult } from '../suites/result.ts';
import type { Report } from './report.ts';

/**
 * Characters that JSON does not escape, but that a terminal or a CI server can interpret. They are written as escape
 * sequences, which does not change the value.
 */
const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|#(?=#[a-z]*\[)/giu;

/** Fast check: texts without these characters are safe. */
const suspicious = /[\u007f-\uffff]|##/;

/** `report.json`: the result of a run. The bytes do not depend on the order of members in the result. */
export function reportJson(report: Report): string {
  return safeJson(inSchemaOrder(sorted(withCauses(report)), schema));
}

/**
 * JSON that is safe to print: indented by two spaces, without control characters, with a final line feed. Strict
 * parsers such as jq refuse half a surrogate pair.
 */
export function safeJson(value: unknown, indent = 2): string {
  const wellFormed = (_: string, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one);
  const json = JSON.stringify(value, wellFormed, indent);
  return `${suspicious.test(json) ? json.replace(unsafe, escapes) : json}\n`;
}

/** A cause in `report.json`. */
interface ReportedCause extends Pick<Cause, 'title' | 'severity' | 'exchanges'> {
  /** Requirement IDs. The first one gives the cause its title. */
  requirements: string[];
  /** Path of the script that reproduces the cause, relative to the report. */
  reproduce?: string;
}

/** Adds the causes, and to each finding the index of its cause. */
function withCauses({ result, causes, causeOf }: Report): RunResult & { causes: ReportedCause[] } {
  const placed = (finding: ReportedFinding) => {
    const cause = causeOf.get(finding);
    return cause === undefined ? finding : { ...finding, cause: cause.number - 1 };
  };
  return {
    ...result,
    causes: causes.map(({ title, severity, requirements, exchanges, script }) => ({
      title,
      severity,
      requirements: requirements.map(({ id }) => id),
      exchanges,
      ...(script === undefined ? {} : { reproduce: script }),
    })),
    requirements: result.requirements.map((each) => ({ ...each, findings: each.findings.map(placed) })),
  };
}

function sorted<Result extends RunResult>(result: Result): Result {
  return {
    ...result,
    requirements: result.requirements.toSorted(byId),
    outsideReach: result.outsideReach.toSorted(byId),
    observations: result.observations.toSorted(byId),
    exchanges: result.exchanges.toSorted((a, b) => a.id - b.id),
  };
}

function byId(a: { id: string }, b: { id: string }): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

function escapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** The part of a JSON Schema that determines the order of members. */
interface SchemaNode {
  $ref?: string;
  $defs?: Record<string, SchemaNode>;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
}

/** Order at one location of the schema: the rank and shape of each member, and the shape of array items. */
interface Shape {
  members: ReadonlyMap<string, { rank: number; shape: Shape }>;
  items(): Shape | undefined;
}

/**
 * Sorts members in the order of the schema properties, then unknown members by name. Copies only values that are not in
 * order, because most of a report already is.
 */
function inSchemaOrder(value: unknown, schema: object): unknown {
  const root: SchemaNode = schema;
  return ordered(value, shapesOf(root.$defs ?? {})(root));
}

/** Caches the shape of each schema node, because a report has thousands of values for some nodes. */
function shapesOf(definitions: Record<string, SchemaNode>): (node: SchemaNode) => Shape {
  const known = new Map<SchemaNode, Shape>();
  const shapeOf = (given: SchemaNode): Shape => {
    const node = given.$ref === undefined ? given : (definitions[given.$ref.replace('#/$defs/', '')] ?? {});
    const before = known.get(node);
    if (before !== undefined) return before;
    const members = new Map<string, { rank: number; shape: Shape }>();
    const { items } = node;
    const shape: Shape = { members, items: () => (items === undefined ? undefined : shapeOf(items)) };
    known.set(node, shape);
    Object.entries(node.properties ?? {}).forEach(([name, each], rank) => {
      members.set(name, { rank, shape: shapeOf(each) });
    });
    return shape;
  };
  return shapeOf;
}

function ordered(value: unknown, shape: Shape | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? orderedItems(value, shape?.items()) : orderedMembers(value, shape);
}

function orderedItems(items: readonly unknown[], shape: Shape | undefined): readonly unknown[] {
  let copy: unknown[] | undefined;
  items.forEach((item, index) => {
    const now = ordered(item, shape);
    if (now === item) return;
    copy ??= [...items];
    copy[index] = now;
  });
  return copy ?? items;
}

function orderedMembers(value: object, shape: Shape | undefined): object {
  const before = Object.entries(value);
  const now = before.map(([name, member]): [string, unknown] => [
    name,
    ordered(member, shape?.members.get(name)?.shape),
  ]);
  const inOrder = now.every(([name], index) => index === 0 || compare(now[index - 1]?.[0] ?? '', name, shape) <= 0);
  if (inOrder && now.every(([, member], index) => member === before[index]?.[1])) return value;
  return Object.fromEntries(now.sort(([a], [b]) => compare(a, b, shape)));
}

function compare(a: string, b: string, shape: Shape | undefined): number {
  const rank = (name: string) => shape?.members.get(name)?.rank ?? Number.MAX_SAFE_INTEGER;
  return rank(a) - rank(b) || (a < b ? -1 : Number(a > b));
}
