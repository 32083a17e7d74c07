import { writeFileSync } from 'node:fs';
import { roleEnv, roleMeanings, roles } from '../../fixtures/roles.ts';
import { effectMeanings, effects } from '../../fixtures/side-effects.ts';
import { targetSchema } from '../../fixtures/target-config.ts';

/** File of the reference. */
export const configurationFile = new URL('../configuration.md', import.meta.url);

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
    'After this page, you can tell the kit where to find keys, workspaces and a clock, and what a run may do.',
    '',
    '`tck init` writes `tck.config.json`. Commands read it only if you pass `--config tck.config.json`. The file',
    'never contains a key. This example has keys of two accounts, a gateway and a clock:',
    '',
    ...exampleConfiguration.split('\n').map((line) => `    ${line}`),
    '',
    'Every member is optional. To have an editor check the file, set `$schema` to the path of',
    '`content-workspace-tck/dist/fixtures/target.schema.json`.',
    '',
    '| Member | Type | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
    'A secret (a key, a certificate or the value of a header) has exactly one of `env`, `file` and `command`.',
    '',
    '## Connections',
    '',
    'A deployment behind mutual TLS needs `tls`. Read the PEM data from files, variables or commands:',
    '',
    '    "tls": { "cert": { "file": "client.pem" }, "key": { "command": ["vault", "read", "-field=key", "tls"] } }',
    '',
    'The curl commands in reports contain no certificates. Before you run them, add `cert`, `key` and `cacert` to',
    '`~/.curlrc`.',
    '',
    '## Regions',
    '',
    'If a deployment has several base URLs, list them:',
    '',
    '    "regions": { "eu": "https://eu.example.test", "us": "https://us.example.test" }',
    '',
    '`tck run --config tck.config.json` then tests each region, one after the other, with the same keys and limits.',
    'It writes a report for each region, such as `tck-report/eu`. The report in `tck-report` combines them and decides',
    'the exit code. `tck-report/matrix.html` shows the regions side by side.',
    '`maxImages` and `maxCredits` limit each region separately. `tck run URL` tests one region. Other commands use',
    '`baseUrl`.',
    '',
    '## Limits on spending',
    '',
    '`maxImages` counts images, and `maxCredits` uses the balance that the deployment reports. With `maxCredits`, the',
    'run reads the balance before each confirmation. It stops if a confirmation at the highest price so far would',
    'exceed the limit. The price of the first confirmation is unknown, so that confirmation can exceed the limit.',
    'Spending by other clients counts too.',
    '',
    '## Roles',
    '',
    'If a request names no workspace, the server uses the pin of the key, or else its stored default.',
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
