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
  'a response now and then': (_, nth) => nth > 8 && nth % 120 === 0,
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

/** Attacks that hit only some responses take turns. */
const mostInTurn = 3;

function inTurn(...ways: readonly Answering[]): Answering {
  let turn = 0;
  return (...given) => {
    turn += 1;
    return ways[turn % ways.length]?.(...given);
  };
}

function casesOf([group, ofGroup]: [string, Attacks]): Case[] {
  const named = Object.entries(ofGroup);
  const [always, often, seldom] = Object.keys(whens) as [Case['when'], Case['when'], Case['when']];
  // The run waits for each rate limit, which takes time.
  if (group === 'rateLimits') {
    return named.map(([name, attack], index) => ({ name, attack, when: index % 2 === 0 ? always : seldom }));
  }
  if (group === 'size') {
    return named.flatMap(([name, attack]): Case[] => [
      { name, attack, when: always },
      { name, attack, when: often, heapMegabytes: 256 },
    ]);
  }
  const [whole, some] = [0, 1].map((rest) => named.filter((_, index) => index % 2 === rest)) as [
    typeof named,
    typeof named,
  ];
  const turns = Array.from({ length: Math.ceil(some.length / mostInTurn) }, (_, index) =>
    some.slice(index * mostInTurn, (index + 1) * mostInTurn),
  );
  return [
    ...whole.map(([name, attack]) => ({ name, attack, when: always, only })),
    ...turns.map((each) => ({
      name: each.map(([name]) => name).join(' + '),
      attack: inTurn(...each.map(([, attack]) => attack)),
      when: often,
      only,
    })),
  ];
}

const all = Object.entries(attacks as Readonly<Record<string, Attacks>>).flatMap(casesOf);

/** Attacks that the specification allows at any time. These runs may pass, and so may runs of selected topics. */
const allowed = new Set(['every second request over the limit', 'confirmations said to be over the limit']);

test.concurrent.each(all)('$name, in $when', { timeout: 300_000 }, async ({ name, attack, when, ...options }) => {
  const run = await runAttacked(attack, whens[when], options);
  const problems = await problemsOf(run);
  const mayPass = allowed.has(name) || options.only !== undefined;
  expect(problems.filter((problem) => !(mayPass && problem.startsWith('exit code 0: ')))).toEqual([]);
});
