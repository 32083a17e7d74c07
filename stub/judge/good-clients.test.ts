import { expect, test } from 'vitest';
import { type Good, good } from '../../test/clients/table.ts';
import { judged, missingLanguages } from '../../test/judge/judged-client.ts';
import { isTriedWhole } from '../../test/whole.ts';

// The seed selects the data of each sandbox, the latencies, and the order in which workspaces are listed.
// TCK_WHOLE=good-clients judges all conforming clients with 20 seeds; the default is a sample.
const isAll = isTriedWhole('good-clients');
const seeds = Array.from({ length: isAll ? 20 : 1 }, (_each, index) => index + 2);
const clients = good.filter(([language], index) => !missingLanguages.includes(language) && (isAll || index % 10 === 0));

/** Clients spend most of their time waiting, so two are judged at a time. */
async function twoAtATime<T>(all: readonly Good[], judge: (client: Good) => Promise<T>): Promise<T[]> {
  const waiting = [...all];
  const results: T[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await judge(next));
  };
  await Promise.all([work(), work()]);
  return results;
}

test.each(seeds)('no conforming client has a finding with seed %i', { timeout: 1_200_000 }, async (seed) => {
  const results = await twoAtATime(clients, async ([language, habit, person]) => {
    const name = [language, habit, person?.proposals ?? ''].join(' ').trim();
    return { name, ...(await judged(language, habit, { seed, person })) };
  });
  const findings = results.flatMap(({ name, trouble, details }) =>
    [...(trouble === undefined ? [] : [trouble]), ...details].map((problem) => `${name}: ${problem}`),
  );
  const total = (count: (result: (typeof results)[number]) => number) =>
    results.reduce((sum, result) => sum + count(result), 0);
  const runs = total(({ scenarios }) => scenarios);
  const did = `${results.length} clients, ${runs} runs, ${total(({ requests }) => requests)} requests`;
  console.info([`seed ${seed}: ${did}, ${findings.length} findings`, ...findings].join('\n'));
  expect(findings).toEqual([]);
});
