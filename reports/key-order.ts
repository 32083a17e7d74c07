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
export function inSchemaOrder(value: unknown, schema: object): unknown {
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
