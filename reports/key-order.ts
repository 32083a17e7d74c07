/** As much of a JSON Schema as decides the order of members. */
interface SchemaNode {
  $ref?: string;
  $defs?: Record<string, SchemaNode>;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
}

/** A copy whose members stand in the order of the schema's properties; those it does not name come after, by name. */
export function inSchemaOrder(value: unknown, schema: object): unknown {
  const root: SchemaNode = schema;
  return ordered(value, root, root.$defs ?? {});
}

function ordered(value: unknown, node: SchemaNode | undefined, definitions: Record<string, SchemaNode>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shape = node?.$ref === undefined ? node : definitions[node.$ref.replace('#/$defs/', '')];
  if (Array.isArray(value)) return value.map((item) => ordered(item, shape?.items, definitions));
  const named = Object.keys(shape?.properties ?? {}).filter((key) => Object.hasOwn(value, key));
  const others = Object.keys(value).filter((key) => !named.includes(key));
  return Object.fromEntries(
    [...named, ...others.sort()].map((key) => {
      return [key, ordered(Reflect.get(value, key), shape?.properties?.[key], definitions)];
    }),
  );
}
