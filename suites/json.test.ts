import { expect, test } from 'vitest';
import { jsonExtent } from './json.ts';

test.each<[text: string, nodes: number, levels: number]>([
  ['1', 1, 0],
  ['{}', 2, 1],
  ['[{},{}]', 5, 2],
  ['{"a":[1,2,3]}', 5, 2],
  [' \r\n\t[[[]]]', 4, 3],
  ['["],[{","\\\\","\\"[,","\\\\\\"{{"]', 5, 1],
  ['["a', 2, 1],
  ['"[[[[,,,,"', 1, 0],
  ['<html>[[[[,,,,{{{{', 1, 0],
])('%s', (text, nodes, levels) => {
  expect(jsonExtent(text)).toEqual({ nodes, levels });
});

test('no value is missed', () => {
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, member) => sum + count(member), 1)
      : 1;
  const value = { ok: true, items: [{ id: 'x,[{', tags: [] }, null, 1.5, [[]]], 'a"b\\': { deep: [{}, {}] } };
  for (const indent of [0, 2]) {
    expect(jsonExtent(JSON.stringify(value, null, indent)).nodes).toBeGreaterThanOrEqual(count(value));
  }
});

test('a text of escapes is read once', () => {
  const text = `["${'\\\\'.repeat(500_000)}${'\\"'.repeat(500_000)}"]`;
  expect(jsonExtent(text)).toEqual({ nodes: 2, levels: 1 });
});
