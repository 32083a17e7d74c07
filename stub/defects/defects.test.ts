import { expect, test } from 'vitest';
import { defects } from '../../fixtures/defects.ts';
import { requirements } from '../../fixtures/requirements/index.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import { createCore } from '../core.ts';
import { clientOf } from '../testing/client.ts';
import { combineDefects } from './index.ts';

// That each defect shows in the answers of the stub, and where, is for the detection matrix to say.

test('several defects can be had at once, and one that is none is wrong usage', () => {
  const call = clientOf(createCore({ rules: combineDefects(['balance-as-text', 'query-trimmed']) }));
  expect(call('credits.balance').body.balance).toBeTypeOf('string');
  expect(call('knowledge.search', { query: ' x ' }).body.query).toBe('x');
  expect(() => combineDefects(['constructor'])).toThrow(UsageError);
});

test('a defect of one stub is none of another, even where it remembers something', () => {
  const deviate = combineDefects(['piece-id-as-number', 'answer-cached-without-workspace']);
  const request = { format: 'posts', day: '2026-03-05' };
  const ids = [1, 2].map((seed) => {
    const call = clientOf(createCore({ seed, rules: deviate }));
    return [1, 2].map(() => call('content.create_request', request).body.piece_id);
  });
  expect(ids).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('every topic has many defects', () => {
  const topics = Object.values(defects).map(({ breaks: [first] }) => first.split('.')[0]);
  for (const topic of new Set(requirements.map((requirement) => requirement.topic))) {
    expect.soft(topics.filter((other) => other === topic).length, topic).toBeGreaterThan(1);
  }
});
