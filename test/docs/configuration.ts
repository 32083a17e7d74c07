import { readFileSync, writeFileSync } from 'node:fs';
import { roleEnv, roleMeanings, roles } from '../../fixtures/roles.ts';
import { effectMeanings, effects } from '../../fixtures/side-effects.ts';
import { targetSchema } from '../../fixtures/target-config.ts';

/** Reference of `tck.config.json`. Its tables are generated from the schema. */
export const configurationFile = new URL('../../docs/configuration.md', import.meta.url);

/** The used part of a JSON Schema. */
interface Schema {
  type?: string;
  description?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

/** The rows of the tables of the page, by the name of the first column. */
function tables(): Record<string, readonly string[][]> {
  const schema: Schema = JSON.parse(targetSchema());
  return {
    Member: rowsOf('', schema).map(([path, ...rest]) => [code(path), ...rest]),
    Role: roles.map((role) => [code(role), code(roleEnv(role)), asSentence(roleMeanings[role])]),
    'Side effect': effects.map((effect) => [code(effect), asSentence(effectMeanings[effect])]),
  };
}

const code = (text: string) => `\`${text}\``;

/** The page with new rows in its tables. A table ends with an empty line. */
export function configurationPage(): string {
  const page = readFileSync(configurationFile, 'utf8');
  return Object.entries(tables()).reduce((text, [column, rows]) => {
    const lines = rows.map((cells) => `| ${cells.join(' | ')} |\n`);
    return text.replace(new RegExp(`(?<=^\\| ${column} \\|.*\n\\| ---.*\n)(\\|.*\n)*`, 'm'), () => lines.join(''));
  }, page);
}

/** A text for terminals as a sentence of a page, with names in code font. */
const asSentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replaceAll(/\b(?:api\.access|primary|throttled)\b/g, '`$&`');

/** Table rows of a schema and its nested members, by path. */
function rowsOf(path: string, schema: Schema): [path: string, type: string, what: string][] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema;
  const inner = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [
    ...(path === '' || (schema.description ?? '') === '' ? [] : [row(path, schema)]),
    ...Object.entries(properties).flatMap(([name, each]) => rowsOf(below(name), each)),
    ...(inner === undefined ? [] : rowsOf(below(path === 'keys' ? 'ROLE' : 'NAME'), inner)),
    ...(items === undefined ? [] : rowsOf(`${path}[]`, items)),
    ...anyOf.flatMap((each) => rowsOf(path, { ...each, description: '' })),
  ];
}

function row(path: string, schema: Schema): [path: string, type: string, what: string] {
  const { minimum, maximum, description = '', items, anyOf = [] } = schema;
  const { type = anyOf.map((each) => each.type).join(' or ') } = schema;
  const range = minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  const values = items?.enum === undefined ? '' : `: ${items.enum.map(code).join(', ')}`;
  return [path, `${type}${range}`, `${description}${values}`];
}

if (import.meta.main) writeFileSync(configurationFile, configurationPage());
