import { expect, test } from 'vitest';
import { type ToolName, toolNames } from '../../../fixtures/contract/tools.ts';
import { exchangesOf, knowledge } from '../../../test/history.ts';
import { judge } from '../../model/judge/judge.ts';
import { isValid } from '../../model/world/violations.ts';
import { deploymentOf } from '../deployment.ts';
import { rules } from '../index.ts';
import type { StoryRequest } from '../steps.ts';
import { type Mutation, mutationsOf } from './mutations.ts';

const good: Readonly<Record<ToolName, object>> = {
  'content.create_request': { workspace: 'north', format: 'long_form', day: '2027-01-05', title: 'words' },
  'images.generate': { workspace: 'north', board: 'b-1', brief: 'a cup', count: 1, shape: '1:1' },
  'library.get': { workspace: 'north', kind: 'clip', id: 'i-1' },
  'library.search': { workspace: 'north', query: 'words' },
  'knowledge.search': { workspace: 'north', query: 'words' },
  'schedule.read': { workspace: 'north' },
  'content.status': { workspace: 'north' },
  'connections.status': { workspace: 'north' },
  'credits.balance': {},
};

const deployment = deploymentOf([{ slug: 'north' }], undefined, undefined, new Date(0), 'run');

/** Returns the requirements that fail if a tool accepts invalid arguments. */
function failedIf(tool: ToolName, args: object): string[] {
  const body = { ok: true, workspace: 'north' };
  const said = [good[tool], JSON.parse(JSON.stringify(args))].map((each) => ({ tool, args: { ...each }, body }));
  const judgements = judge(rules, { knowledge, exchanges: exchangesOf(said) });
  return judgements.flatMap(({ id, findings }) => (findings.length > 0 && id.endsWith('-refused') ? [id] : []));
}

const requestsOf = (tool: ToolName, { requests }: Mutation): readonly StoryRequest[] =>
  requests({ tool, args: { ...good[tool] } });

const isOfValues = ({ row, argument }: Mutation) =>
  argument !== undefined && /^(schema|text\.from|enum|day|integer)/.test(row);

const ofValues = toolNames.flatMap((tool) =>
  mutationsOf(tool, deployment)
    .filter(isOfValues)
    .map((mutation) => [tool, mutation.row, mutation.argument, mutation] as const),
);

test.each(ofValues)('%s: each value of %s as %s has a requirement', (tool, _row, argument, mutation) => {
  const requests = requestsOf(tool, mutation);
  expect(requests.length).toBeGreaterThan(0);
  for (const { args = {} } of requests)
    expect(failedIf(tool, args), `${JSON.stringify(args[argument ?? ''])}`).toHaveLength(1);
});

test('texts and headers of the table are valid requests', () => {
  const valid = toolNames.flatMap((tool) =>
    mutationsOf(tool, deployment)
      .filter(({ row }) => /^(text\.(?!from)|header)/.test(row))
      .flatMap((mutation) => requestsOf(tool, mutation))
      .flatMap(({ args }) => exchangesOf([{ tool, args: { ...args }, body: {} }]).map(isValid)),
  );
  expect(new Set(valid)).toEqual(new Set([true]));
});
