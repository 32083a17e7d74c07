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
  apart?: boolean;
  heapMegabytes?: number;
  only?: readonly string[];
}

/** Only what adds up over a whole run needs one. */
const only = ['schedule', 'library', 'confirmations'];

/** Groups whose attacks may exhaust memory or the stack, so each run has a process. */
const apart = ['size', 'structure'];

/** Attacks that hit only some responses take turns. */
const mostInTurn = 3;

function inTurn(named: readonly (readonly [string, Answering])[]): Pick<Case, 'name' | 'attack'>[] {
  const starts = Array.from({ length: Math.ceil(named.length / mostInTurn) }, (_, index) => index * mostInTurn);
  return starts.map((start) => {
    const ways = named.slice(start, start + mostInTurn);
    let turn = 0;
    const attack: Answering = (...given) => {
      turn += 1;
      return ways[turn % ways.length]?.[1](...given);
    };
    return { name: ways.map(([name]) => name).join(' + '), attack };
  });
}

function casesOf([group, ofGroup]: [string, Attacks]): Case[] {
  const named = Object.entries(ofGroup);
  const [always, often, seldom] = Object.keys(whens) as [Case['when'], Case['when'], Case['when']];
  const single = ([name, attack]: [string, Answering]) => ({ name, attack, apart: apart.includes(group) });
  // The run waits for each rate limit, which takes time.
  if (group === 'rateLimits')
    return named.map((one, index) => ({ ...single(one), when: index % 2 === 0 ? always : seldom }));
  if (group === 'size') {
    return [
      ...named.map((one) => ({ ...single(one), when: always, only })),
      ...inTurn(named).map((each) => ({ ...each, when: often, apart: true, heapMegabytes: 256 })),
    ];
  }
  return [
    ...named.filter((_, index) => index % 2 === 0).map((one) => ({ ...single(one), when: always, only })),
    ...inTurn(named.filter((_, index) => index % 2 === 1)).map((each) => ({
      ...each,
      when: often,
      apart: apart.includes(group),
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
