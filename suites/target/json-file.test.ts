import { expect, test } from 'vitest';
import { parseJson } from './json-file.ts';

test('a text of very many levels is refused with a sentence', async () => {
  await expect(parseJson('['.repeat(200_000), 'deep.json')).rejects.toThrow(
    'deep.json: expected at most 100 levels of brackets, got more',
  );
});
