import { expect, test } from 'vitest';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { createStub } from '../../../stub/index.ts';
import { requirements } from '../../../suites/requirements.ts';
import { UsageError } from '../../../suites/usage/usage-error.ts';
import { clientOf } from '../../stub/client.ts';
import { combineDefects, defects } from './index.ts';

const all = Object.entries(defects);

test('ids are readable and frozen', () => {
  for (const [id] of all) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
  expect(all.map(([id]) => id).sort()).toMatchSnapshot();
});

test('each says in a few words of its own what it does', () => {
  expect(new Set(all.map(([, { what }]) => what)).size).toBe(all.length);
  for (const [, { what }] of all) expect(what).toMatch(/^[a-z].*[^.]$/);
});

test('each names requirements that exist, none of them twice', () => {
  const known = new Set<string>(requirements.map(({ id }) => id));
  for (const [id, { breaks }] of all) {
    for (const requirement of breaks) expect(known, id).toContain(requirement);
    expect(new Set(breaks).size, id).toBe(breaks.length);
  }
});

/** A stub in this process gets each request as a whole. The test of this requirement has a server of its own. */
const needsHttp: RequirementId = 'authentication.own-key-decides';

test('every requirement is broken by a defect', () => {
  const broken = new Set<string>([needsHttp, ...all.flatMap(([, { breaks }]) => breaks)]);
  expect(requirements.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
});

// The detection matrix shows which defects change responses of the stub.

test('several defects can be had at once, and one that is none is wrong usage', () => {
  const call = clientOf(createStub({ deviation: combineDefects(['balance-as-text', 'hits-null']) }));
  expect(call('credits.balance').body.balance).toBeTypeOf('string');
  expect(call('knowledge.search', { query: 'a' }).body.hits).toBeNull();
  expect(() => combineDefects(['constructor'])).toThrow(UsageError);
});

test('a defect of one stub is none of another, even where it remembers something', () => {
  const deviate = combineDefects(['piece-id-as-number', 'answer-cached-without-workspace']);
  const request = { format: 'posts', day: '2026-03-05' };
  const ids = [1, 2].map((seed) => {
    const call = clientOf(createStub({ seed, deviation: deviate }));
    return [1, 2].map(() => call('content.create_request', request).body.piece_id);
  });
  expect(ids.flat()).toEqual([1, 2, 1, 2]);
});
