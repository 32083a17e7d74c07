import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { environmentOf } from '../image/options.ts';
import { embeddedTarget } from './embedded.ts';
import { openTarget, parseAllow } from './open.ts';

const sources = (env: Record<string, string> = {}) => ({
  env,
  cwd: '/',
  signal: new AbortController().signal,
  embedded: async (seed: number) => embeddedTarget(createStub({ seed })),
});

test('the embedded stub is a target with every role, all effects and a clock', async () => {
  const { target } = await openTarget({ stub: true }, 5, sources());
  expect(Object.keys(target.keys)).toHaveLength(12);
  expect(target.keys.primary?.key).toBe(createStub({ seed: 5 }).keys.primary);
  expect(target).toMatchObject({ kind: 'stub', allow: { length: 5 }, maxImages: 16, headers: [] });
  expect(target.secrets).toHaveLength(12);
  await target.clock?.advance(60);
});

test('what is allowed on the command line comes first', async () => {
  const { target } = await openTarget({ stub: true, allow: 'none' }, 1, sources());
  expect(target.allow).toEqual([]);
});

test("a container's environment is given by value, or taken from here", () => {
  const choice = { port: 80, env: ['A=1=2', 'SECRET', 'EMPTY='] };
  const env = { A: '1=2', SECRET: 's', EMPTY: '' };
  expect(environmentOf(choice, { SECRET: 's' })).toEqual({ port: 80, env, ready: undefined });
});

test.each([
  [['SECRET'], undefined, '--env: expected the environment variable SECRET to be set'],
  [['=x'], undefined, '--env: expected NAME=value or NAME'],
  [[], 'health', "--ready: expected a path such as /health, got 'health'"],
])('environment %j with ready %j is refused', (env, ready, message) => {
  expect(() => environmentOf({ port: 80, env, ready }, {})).toThrow(message);
});

test.each([
  ['all', ['proposals', 'writes', 'spending', 'throttling', 'waiting']],
  ['none', []],
  ['writes, proposals', ['proposals', 'writes']],
  ['spending,spending', ['spending']],
])('%j allows %j', (text, allowed) => {
  expect(parseAllow(text)).toEqual(allowed);
});

test.each([
  ['', "got ''"],
  ['spendign', "got 'spendign'; did you mean 'spending'?"],
  ['writes,', "got ''"],
  ['all,writes', "--allow: expected 'all' alone"],
  ['constructor', "got 'constructor'"],
])('--allow %j is refused', (text, message) => {
  expect(() => parseAllow(text)).toThrow(message);
});
