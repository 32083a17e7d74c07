import { expect, test } from 'vitest';
import { calling } from '../calling.ts';
import { createOtherServer, mutations } from '../index.ts';
import { transcriptOf } from './battery.ts';
import { isMutationName, mutationOf } from './index.ts';

test('there are many, each with a description of its own', () => {
  expect(Object.keys(mutations).length).toBeGreaterThan(150);
  expect(new Set(Object.values(mutations)).size).toBe(Object.keys(mutations).length);
});

test('the same calls have the same answers when nothing deviates', async () => {
  const mutation = mutationOf('race');
  expect(await transcriptOf(mutation, false)).toEqual(await transcriptOf(mutation, false));
});

test('each deviation shows in the answers to a fixed series of calls', async () => {
  const truths = new Map<string, string[]>();
  const unseen = [];
  for (const name of Object.keys(mutations).filter(isMutationName)) {
    const mutation = mutationOf(name);
    const options = JSON.stringify(mutation.options);
    const truth = truths.get(options) ?? (await transcriptOf(mutation, false));
    truths.set(options, truth);
    const deviation = await transcriptOf(mutation, true);
    if (deviation.length === truth.length && deviation.every((line, index) => line === truth[index])) unseen.push(name);
  }
  expect(unseen).toEqual([]);
});

test('a server deviates when it is told to', async () => {
  await using it = await calling({ mutation: 'balance-as-text' });
  expect((await it.call('primary', 'credits.balance')).body.balance).toBeTypeOf('string');
  await expect(createOtherServer({ mutation: 'nonsense' })).rejects.toThrow('nonsense');
});
