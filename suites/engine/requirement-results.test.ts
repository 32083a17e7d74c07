import { expect, test } from 'vitest';
import { requirements } from '../requirements.ts';
import { mostFindings, requirementResults } from './requirement-results.ts';

test('the last finding of a long list keeps its note, and says how many more there are', () => {
  const [requirement] = requirements;
  if (requirement === undefined) throw new Error('there are no requirements');
  const findings = Array.from({ length: mostFindings + 2 }, (_, index) => ({
    ...{ expected: 'a', actual: String(index), hint: 'c', exchanges: [], times: 1 },
    note: 'not repeated',
  }));
  const [result] = requirementResults({
    requirements: [requirement],
    outcomes: [{ requirement: requirement.id, status: 'failed', findings }],
    required: new Set(),
    stillMissing: () => undefined,
    reference: () => [],
  });
  expect(result?.findings.map(({ note }) => note).slice(-2)).toEqual([
    'not repeated',
    'not repeated The report leaves out 2 more findings of this requirement.',
  ]);
});
