import { writeFileSync } from 'node:fs';
import { roleEnv, roleMeanings, roles } from '../../fixtures/roles.ts';
import { effectMeanings, effects } from '../../fixtures/side-effects.ts';
import { targetSchema } from '../../fixtures/target-config.ts';

/** File of the reference. */
export const configurationFile = new URL('../../docs/configuration.md', import.meta.url);

/** Example at the top of the page. */
export const exampleConfiguration = `{
  "baseUrl": "https://staging.example.test",
  "keys": {
    "primary": { "env": "TCK_KEY_PRIMARY" },
    "otherAccount": { "file": "secrets/other-account", "workspace": "harbor", "board": "b-9" },
    "revoked": { "command": ["vault", "read", "-field=key", "secret/tck/revoked"] }
  },
  "workspaces": [{ "slug": "north", "board": "b-1" }, { "slug": "south", "board": "b-2" }],
  "allow": ["proposals", "writes"],
  "clock": {
    "advance": { "url": "https://staging.example.test/test/advance", "headers": { "x-control": { "env": "CONTROL" } } }
  },
  "headers": { "x-gateway": { "env": "GATEWAY_TOKEN" } }
}`;

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

/** Reference of `tck.config.json`, generated from its schema. */
export function configurationPage(): string {
  const schema: Schema = JSON.parse(targetSchema());
  const rows = rowsOf('', schema).map(([path, type, what]) => `| \`${path}\` | ${type} | ${what} |`);
  return [
    '# Configuration',
    '',
    'This page describes `tck.config.json`, which contains the sources of keys, the workspaces, a clock, and limits.',
    '',
    '`tck init` writes `tck.config.json`. Commands read this file only if you pass `--config tck.config.json`. The',
    'file never contains a key. This example has keys of two accounts, a gateway header, and a clock:',
    '',
    ...exampleConfiguration.split('\n').map((line) => `    ${line}`),
    '',
    'Every member is optional. To let an editor check the file, set `$schema` to the path of',
    '`content-workspace-tck/dist/fixtures/target.schema.json`.',
    '',
    '| Member | Type | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
    'A secret is a key, a certificate, or the value of a header. Each secret has exactly one of the members `env`,',
    '`file`, and `command`.',
    '',
    '## Connections',
    '',
    'A deployment behind mutual TLS requires `tls`. The kit reads the PEM data from files, variables, or commands:',
    '',
    '    "tls": { "cert": { "file": "client.pem" }, "key": { "command": ["vault", "read", "-field=key", "tls"] } }',
    '',
    'The curl commands in reports contain no certificates. Before you run these commands, add `cert`, `key`, and',
    '`cacert` to `~/.curlrc`.',
    '',
    '## Limits on spending',
    '',
    '`maxImages` limits the number of confirmed images. `maxCredits` limits the decrease of the balance that the',
    'deployment reports. With `maxCredits`, the run reads the balance before each confirmation. The run stops all',
    'proposals and confirmations if another confirmation at the highest price so far would exceed the limit. Other',
    'requests continue. If no requirement failed, the verdict is then `inconclusive`.',
    '',
    'The first confirmation can exceed `maxCredits`, because the price is still unknown. Spending by other clients of',
    'the account counts toward the limit.',
    '',
    '## The clock',
    '',
    'With `clock`, a run advances the clock of the deployment by up to 53 days: about a day for confirmations, and',
    'the rest at the end, to read the schedule of later weeks. If a key expires within this time, renew the key before',
    'the next run.',
    '',
    '## Roles',
    '',
    'A role is the purpose of a key in a run. If a request names no workspace, the server selects a workspace:',
    '',
    '- If the key is pinned to a workspace, the server uses that workspace.',
    '- Otherwise, if the key has a stored default, the server uses the default.',
    '- Otherwise, if the key can access only one workspace, the server uses that workspace.',
    '- Otherwise, the server refuses the request with the code `workspace_ambiguous`.',
    '',
    'Without a configuration, the kit reads the keys from the variables in this table.',
    '',
    '| Role | Variable | Properties of the key |',
    '| --- | --- | --- |',
    ...roles.map((role) => `| \`${role}\` | \`${roleEnv(role)}\` | ${asSentence(roleMeanings[role])} |`),
    '',
    '## Side effects',
    '',
    'By default, a run has no side effects. `allow` and `--allow` permit these side effects:',
    '',
    '| Side effect | Effect of a run |',
    '| --- | --- |',
    ...effects.map((effect) => `| \`${effect}\` | ${asSentence(effectMeanings[effect])} |`),
    '',
    'The API has no tool that deletes content requests or images. They remain on the deployment after the run, and the',
    'report lists them. Most titles of content requests start with `tck`, so that you can find and delete them in the',
    'service. The kit leaves some proposals unconfirmed. They expire.',
    '',
  ].join('\n');
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
  const values = items?.enum === undefined ? '' : `: ${items.enum.map((value) => `\`${value}\``).join(', ')}`;
  return [path, `${type}${range}`, `${description}${values}`];
}

if (import.meta.main) writeFileSync(configurationFile, configurationPage());
