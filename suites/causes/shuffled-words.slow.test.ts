import { expect, test } from 'vitest';
import { runWith } from '../../test/detection/observe.ts';
import type { DefectId } from '../../test/mutations/defects/index.ts';
import type { RunResult } from '../result.ts';
import { seededOrder } from '../topics/random.ts';
import { causesOf } from './causes.ts';

/** Four servers with five defects each, of all topics. */
const servers: readonly (readonly DefectId[])[] = [
  ['beta-header-sent-twice', 'items-null', 'used-id-forgotten-early', 'days-backwards', 'posts-not-known'],
  [
    'second-call-decides-count',
    'platform-switch-forgotten',
    'week-start-in-local-form',
    'board-by-name',
    'ok-as-number',
  ],
  [
    'refusal-without-code',
    'relevance-as-text',
    'piece-id-as-number',
    'key-compared-without-case',
    'empty-query-refused',
  ],
  ['workspace-as-object', 'unknown-item-as-null', 'expired-id-is-told', 'form-bodies-read', 'prefer-header-confirms'],
];

/** The same findings, each with the words of others. */
function withOtherWords(result: RunResult): RunResult {
  const words = result.requirements.flatMap(({ statement, findings }) =>
    findings.flatMap(({ expected, actual, hint }) => [statement, expected, actual, hint]),
  );
  const others = seededOrder(words, 1);
  const next = () => others.pop() ?? '';
  const requirements = result.requirements.map((requirement) => ({
    ...requirement,
    statement: next(),
    findings: requirement.findings.map((finding) => ({ ...finding, expected: next(), actual: next(), hint: next() })),
  }));
  return { ...result, requirements };
}

const partsOf = (result: RunResult) =>
  causesOf(result).map(({ severity, requirements, evidence, exchanges }) => ({
    severity,
    requirements: requirements.map(({ id }) => id),
    evidence,
    exchanges,
  }));

test.each(servers)('causes do not depend on words: %s and others', async (...chosen) => {
  const { result } = await runWith(chosen);
  const causes = partsOf(result);
  expect(causes.length).toBeGreaterThanOrEqual(4);
  expect(partsOf(withOtherWords(result))).toEqual(causes);
});
