import { expect, test } from 'vitest';
import type { Completed } from '../exchange/exchange.ts';
import { type Answer, check, has, holds, is } from './answers.ts';
import { complete } from './finding.ts';

function responding(headers: readonly (readonly [string, string])[], json: unknown, text = ''): Completed {
  // `check` reads headers and body only.
  return { response: { status: 200, headers, text, json } } as unknown as Completed;
}

const api = { header: 'x-api' };
const code = { member: ['error', 'code'] };
const wait = { member: ['wait'] };

test.each<[Answer, readonly (readonly [string, string])[], unknown, string | undefined, string | undefined]>([
  [{ at: api, want: { oneOf: ['beta'] } }, [['x-api', 'beta']], {}, undefined, undefined],
  [{ at: api, want: { oneOf: ['beta'] } }, [], {}, 'x-api: beta', 'no header x-api'],
  [{ at: api, want: { oneOf: ['true', 'false'] } }, [['x-api', 'yes']], {}, 'x-api: true or false', 'x-api: yes'],
  [{ at: api, want: { oneOf: ['false', undefined] } }, [], {}, undefined, undefined],
  [{ at: api, want: { oneOf: ['false', undefined] } }, [['x-api', 'true']], {}, 'x-api absent or false', 'x-api: true'],
  [{ at: api, want: 'text' }, [['x-api', '']], {}, 'x-api: any text', 'x-api: '],
  [{ at: api, want: { least: 1 } }, [['x-api', '0']], {}, 'x-api: a whole number of at least 1', 'x-api: 0'],
  [{ at: api, want: { least: 1 } }, [['x-api', '17']], {}, undefined, undefined],
  [{ at: code, want: { oneOf: ['a'] } }, [], { error: { code: 'b' } }, 'error code "a"', 'error code "b"'],
  [{ at: code, want: { oneOf: ['a'] } }, [], null, 'error code "a"', 'error code (missing)'],
  [{ at: wait, want: { type: 'number' } }, [], { wait: '1.5' }, 'wait number', 'wait "1.5"'],
  [{ at: wait, want: { type: 'number' } }, [], { wait: 2 }, undefined, undefined],
  [is('run_id', null), [], { run_id: null }, undefined, undefined],
  [is('run_id', null), [], {}, 'run_id null', 'run_id (missing)'],
  [is('run_id', null), [], 'text', 'run_id null', 'run_id (missing)'],
  [is('query', 'cafe\u0301'), [], { query: 'caf\u00e9' }, 'query "cafe\\u{301}"', 'query "caf\\u{e9}"'],
  [is('wait', undefined), [], { wait: 1 }, 'no wait', 'wait 1'],
  [has('id', 'text'), [], { id: 'x' }, undefined, undefined],
  [has('id', 'text'), [], { id: '' }, 'id to be a non-empty string', 'id ""'],
  [has('id', 'text'), [], { id: ['x'] }, 'id to be a non-empty string', 'id ["x"]'],
  [has('items', { elements: 0 }), [], { items: [] }, undefined, undefined],
  [has('items', { elements: 0 }), [], { items: { length: 0 } }, 'items to be an array', 'items {"length":0}'],
  [holds('id', 'to be even', (id) => Number(id) % 2 === 0), [], { id: 2 }, undefined, undefined],
  [holds('id', 'to be even', (id) => Number(id) % 2 === 0), [], { id: 3 }, 'id to be even', 'id 3'],
])('%j of headers %j and body %j', (answer, headers, json, expected, actual) => {
  const mismatch = check([answer], responding(headers, json));
  expect(mismatch && [mismatch.expected, mismatch.actual]).toEqual(expected && [expected, actual]);
});

test.each([
  [[], '\u001f\ufffd', 'a body compressed with gzip and no header Content-Encoding'],
  [[['content-encoding', 'lz4']] as const, '\ufffd', 'a body with the content coding "lz4", which is not JSON'],
])('a body that no client decodes: headers %j', (headers, text, actual) => {
  const exchange = responding(headers, undefined, text);
  const finding = complete({ expected: 'ok true' }, exchange, 'Return a result.');
  expect(finding).toMatchObject({ actual: `HTTP 200 with ${actual}`, hint: expect.stringContaining('content coding') });
});
