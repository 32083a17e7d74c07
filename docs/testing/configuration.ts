import { writeFileSync } from 'node:fs';
import { roleEnv, roleMeanings, roles } from '../../fixtures/roles.ts';
import { effectMeanings, effects } from '../../fixtures/side-effects.ts';
import { targetSchema } from '../../fixtures/target-config.ts';

/** Where the reference stands. */
export const configurationFile = new URL('../configuration.md', import.meta.url);

/** As much of a JSON Schema as the reference shows. */
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

/** The reference of `tck.config.json`, written from its schema. */
export function configurationPage(): string {
  const schema: Schema = JSON.parse(targetSchema());
  const rows = rowsOf('', schema).map(([path, type, what]) => `| \`${path}\` | ${type} | ${what} |`);
  return [
    '# Configuration',
    '',
    '`tck init` writes `tck.config.json`, and `--config FILE` reads it. It never holds a key. Editors check it against',
    '`fixtures/target.schema.json`, from which `npm run generate:contract` writes this page.',
    '',
    '| Member | Type | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
    'A secret (a key, or the value of a header) is exactly one of `env`, `file` and `command`.',
    '',
    '## Roles',
    '',
    '| Role | Variable without a configuration | The key |',
    '| --- | --- | --- |',
    ...roles.map((role) => `| \`${role}\` | \`${roleEnv(role)}\` | ${roleMeanings[role]} |`),
    '',
    '## Side effects',
    '',
    '| Side effect | What a run does |',
    '| --- | --- |',
    ...effects.map((effect) => `| \`${effect}\` | ${effectMeanings[effect]} |`),
    '',
  ].join('\n');
}

/** Each member by its path, from the outside in. */
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

function row(path: string, { type = '', minimum, maximum, description = '', items }: Schema): [string, string, string] {
  const range = minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  const values = items?.enum === undefined ? '' : `: ${items.enum.map((value) => `\`${value}\``).join(', ')}`;
  return [path, `${type}${range}`, `${description}${values}`];
}

if (import.meta.main) writeFileSync(configurationFile, configurationPage());
