import { expect, test } from 'vitest';
import { toolNames } from '../../fixtures/contract/tools.ts';
import { exchangesOf, type Said } from '../../test/history.ts';
import { judge } from '../evidence/judge.ts';
import { argumentsOf, type Field } from '../model/schema.ts';
import { rules } from '../topics/index.ts';
import { Random } from './random.ts';
import { badValue } from './values.ts';

const good: Readonly<Record<string, string | number>> = {
  ...{
    workspace: 'north',
    format: 'posts',
    day: '2027-01-05',
    title: 'words',
    query: 'words',
    kind: 'clip',
    id: 'i-1',
  },
  ...{ board: 'b-1', brief: 'a cup', count: 1, shape: '1:1' },
};

/** Returns the requirements that fail if a tool accepts one invalid field. */
function blamedFor(tool: (typeof toolNames)[number], field: Field, value: unknown): string[] {
  const fields = argumentsOf(tool).fields.filter(({ name }) => name !== 'confirmation_id');
  const args = Object.fromEntries(fields.map(({ name }) => [name, good[name]]));
  const said: Said[] = [
    { tool, args, body: { ok: true, workspace: 'north' } },
    {
      tool,
      args: JSON.parse(JSON.stringify({ ...args, [field.name]: value })),
      body: { ok: true, workspace: 'north' },
    },
  ];
  const knowledge = {
    ...{ complete: true, clock: true, clockShared: false, roles: true, headers: true },
    ...{ accounts: {}, workspaces: [{ account: 'own', workspace: 'north' }], boards: [] },
  };
  const judgements = judge(rules, { knowledge, exchanges: exchangesOf(said) });
  return judgements.flatMap(({ id, findings }) => (findings.length > 0 && id.endsWith('-refused') ? [id] : []));
}

const fieldsOf = toolNames.flatMap((tool) =>
  argumentsOf(tool)
    .fields.filter(({ name }) => name !== 'confirmation_id')
    .map((field) => [tool, field.name, field] as const),
);

test.each(fieldsOf)('%s: every generated way to break %s has a requirement', (tool, name, field) => {
  const random = new Random(1, `${tool} ${name}`);
  const values = Array.from({ length: 60 }, () => badValue(random, field, String(good[name])));
  for (const value of field.required ? [undefined, ...values] : values) {
    const ids = blamedFor(tool, field, value);
    expect(ids, `${JSON.stringify(value)} as ${name}`).toHaveLength(1);
  }
});
