import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from '../fixtures/contract/limits.ts';
import { toolNames } from '../fixtures/contract/tools.ts';
import { openQuestions } from '../fixtures/open-questions.ts';
import { addedLater, type Severity, severities, topics } from '../fixtures/requirements/model.ts';
import { outsideReach } from '../fixtures/requirements/outside-reach.ts';
import { ruledPatterns } from '../fixtures/requirements/rulings.ts';
import { coverage, requirements } from './requirements.ts';

const marked = severities.filter((severity) => severity !== 'contract');

test('ids and levels are frozen: an id is never renamed and never used again', () => {
  const ids = requirements.map(({ id, level }) => (level === 'must' ? id : `${id} (${level})`));
  expect(ids.sort()).toMatchSnapshot();
});

test('every requirement that is more or less severe than a breach of the contract is listed', () => {
  const idsOf = (severity: Severity) =>
    requirements
      .filter((row) => row.severity === severity)
      .map(({ id }) => id)
      .sort();
  expect(Object.fromEntries(marked.map((severity) => [severity, idsOf(severity)]))).toMatchSnapshot();
});

test('each requirement has an id of its own, a topic, a sentence and a source', () => {
  const ids = [...requirements, ...outsideReach].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, topic, statement, source } of requirements) {
    expect(topics).toContain(topic);
    expect(id).toMatch(new RegExp(`^${topic}\\.[a-z0-9]+(-[a-z0-9]+)*$`));
    expect(statement).toMatch(/^.*\.$/);
    expect(source).not.toBe('');
  }
});

test('each ruling is about some requirement, and those with room have one', () => {
  const unused = ruledPatterns.filter((pattern) => !requirements.some(({ id }) => pattern.test(id)));
  expect(unused).toEqual([]);
  const { surelyAlive, surelyDead } = limits.confirmation;
  const rulingOf = (wanted: string) => requirements.find(({ id }) => id === wanted)?.ruling;
  expect(rulingOf('expiry.dead-late')).toContain(`valid after ${surelyAlive} minutes and invalid after ${surelyDead}`);
  expect(rulingOf('schedule.meta-line')).toBeUndefined();
});

test('a requirement that a later version added is one', () => {
  const known = new Set(requirements.map(({ id }) => id));
  const later = Object.values(addedLater).flat();
  expect(later.filter((id) => !known.has(id))).toEqual([]);
});

test('every topic has requirements', () => {
  for (const topic of topics) expect(requirements.some((requirement) => requirement.topic === topic)).toBe(true);
});

/** The compiler does not check this: the type of requirement IDs is a template that admits unknown names. */
test('every id that the sources name exists', () => {
  const root = new URL('../', import.meta.url);
  const ids = [...requirements, ...openQuestions].map(({ id }) => id);
  const known = new Set<string>([...ids, ...toolNames]);
  const quotedIds = new RegExp(`'((?:${topics.join('|')})\\.[a-z0-9-]+)'`, 'g');
  const unknown = globSync('{suites,stub,reports,cli}/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('unknown-tools'))
    .flatMap((file) => [...readFileSync(new URL(file, root), 'utf8').matchAll(quotedIds)].map(([, id = '']) => id))
    .filter((id) => !known.has(id));
  expect([...new Set(unknown)]).toEqual([]);
});

test('every requirement has a story, and every story a requirement', () => {
  const proven = new Set<string>(coverage.map(({ requirement }) => requirement));
  expect(requirements.map(({ id }) => id).filter((id) => !proven.has(id))).toEqual([]);
  const known = new Set<string>(requirements.map(({ id }) => id));
  expect([...proven].filter((id) => !known.has(id))).toEqual([]);
});

test('whatever confirms may also propose', () => {
  for (const { needs } of coverage)
    if (needs.effects.includes('spending')) expect(needs.effects).toContain('proposals');
});
