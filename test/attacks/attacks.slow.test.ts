import { expect, test } from 'vitest';
import { attacks } from './index.ts';
import { problemsOf } from './problems.ts';
import { runAttacked } from './run.ts';
import type { When } from './server.ts';
import type { Answering, Attacks } from './wire.ts';

/**
 * Selects the attacked responses. With all, the kit learns nothing else about the server; with some, it learns a lot.
 */
const whens = {
  'every response': () => true,
  'every third response behind the first ones': (_, nth) => nth > 8 && nth % 3 === 0,
  'a response now and then': (_, nth) => nth > 8 && nth % 40 === 0,
} satisfies Readonly<Record<string, When>>;

interface Case {
  name: string;
  attack: Answering;
  when: keyof typeof whens;
  heapMegabytes?: number;
  only?: readonly string[];
}

/** Only what adds up over a whole run needs one. */
const only = ['schedule', 'library', 'confirmations'];

const all = Object.entries(attacks).flatMap(([group, ofGroup]: [string, Attacks]) =>
  Object.entries(ofGroup).flatMap(([name, attack], index): Case[] => {
    const [always, often, seldom] = Object.keys(whens) as [Case['when'], Case['when'], Case['when']];
    // The run waits for each rate limit, which takes time.
    if (group === 'rateLimits') return [{ name, attack, when: index % 2 === 0 ? always : seldom }];
    if (group !== 'size') return [{ name, attack, when: index % 2 === 0 ? always : often, only }];
    return [
      { name, attack, when: always },
      { name, attack, when: often, heapMegabytes: 256 },
    ];
  }),
);

/** Attacks that the specification allows at any time. These runs may pass, and so may runs of selected topics. */
const allowed = new Set(['every second request over the limit', 'confirmations said to be over the limit']);

test('there are at least 60 of them', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
});

test.concurrent.each(all)('$name, in $when', { timeout: 300_000 }, async ({ name, attack, when, ...options }) => {
  const run = await runAttacked(attack, whens[when], options);
  const problems = await problemsOf(run);
  const mayPass = allowed.has(name) || options.only !== undefined;
  expect(problems.filter((problem) => !(mayPass && problem.startsWith('exit code 0: ')))).toEqual([]);
});
