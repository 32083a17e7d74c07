import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonValues } from './json-values.ts';

const paths = ['$.log.creator', '$.log.entries.*', '$.startedAt'];

/** Returns the values at the paths, from a text that arrives in chunks of `bytes`. */
function valuesIn(text: string, bytes: number): [path: string, value: unknown][] {
  const pairs: [string, unknown][] = [];
  const values = new JsonValues(paths, (path, value) => pairs.push([path, value]));
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) values.write(all.subarray(at, at + bytes));
  if (!values.isEnded) throw new SyntaxError('the text ends in the middle');
  return pairs;
}

describe('values at paths of a JSON text', () => {
  test('are those that JSON.parse gives, wherever the text is cut and however it is written', () => {
    const member = fc.string({ unit: 'binary' });
    const file = fc.record({
      before: fc.jsonValue(),
      entries: fc.array(fc.jsonValue()),
      creator: fc.jsonValue(),
      more: fc.dictionary(member, fc.jsonValue()),
      startedAt: fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.constant(null)),
    });
    fc.assert(
      fc.property(file, fc.nat(30), fc.constantFrom(undefined, 2, '\r\n\t'), (given, cut, space) => {
        const { before, entries, creator, more, startedAt } = given;
        const names = { '$.log.entries.*': 1, 'a"\\': before, ...more };
        const text = JSON.stringify(
          { names, log: { version: '1.2', entries, 'é"': more, creator }, startedAt },
          null,
          space,
        );
        const { log, startedAt: began } = JSON.parse(text);
        expect(valuesIn(text, cut + 1)).toEqual([
          ...log.entries.map((entry: unknown) => ['$.log.entries.*', entry]),
          ['$.log.creator', log.creator],
          ['$.startedAt', began],
        ]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test.each([
    '{"log":{"entries":[{]',
    '{"log":{"entries":[',
    '{"log":{"entries":[{"a":}]}}',
    '{log:1}',
    '{"log":{}} 1',
    '{]',
    '',
    ']',
  ])('%s is no JSON', (text) => {
    for (const bytes of [1, 3, 100]) expect(() => valuesIn(text, bytes)).toThrow(SyntaxError);
  });
});
