import description from '../../fixtures/contract/openapi.json' with { type: 'json' };
import { type ToolName, tools } from '../../fixtures/contract/tools.ts';
import { isRecord } from '../json.ts';

/** Published rules of one argument. */
export interface Field {
  name: string;
  type: 'string' | 'integer';
  required: boolean;
  minLength: number;
  maxLength: number | undefined;
  pattern: RegExp | undefined;
  values: readonly string[] | undefined;
}

/** Published arguments of a tool. */
interface Arguments {
  fields: readonly Field[];
  /** True if additional properties are refused. */
  closed: boolean;
}

/** Reads the published arguments of a tool. Throws if the schema uses a type that cannot be generated yet. */
export function argumentsOf(tool: ToolName): Arguments {
  const schemas: Readonly<Record<string, unknown>> = description.components.schemas;
  const schema = schemas[`${tools[tool].schema}Arguments`];
  if (!isRecord(schema) || !isRecord(schema.properties)) throw new Error(`no arguments are published for ${tool}`);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    fields: Object.entries(schema.properties).map(([name, field]) => fieldOf(name, field, required.includes(name))),
    closed: schema.additionalProperties === false,
  };
}

function fieldOf(name: string, field: unknown, required: boolean): Field {
  if (!isRecord(field) || (field.type !== 'string' && field.type !== 'integer')) {
    throw new Error(`the argument ${name} is of a type that is not generated`);
  }
  return {
    name,
    type: field.type,
    required,
    minLength: typeof field.minLength === 'number' ? field.minLength : 0,
    maxLength: typeof field.maxLength === 'number' ? field.maxLength : undefined,
    pattern: typeof field.pattern === 'string' ? new RegExp(field.pattern, 'u') : undefined,
    values: Array.isArray(field.enum) ? field.enum.filter((value) => typeof value === 'string') : undefined,
  };
}
