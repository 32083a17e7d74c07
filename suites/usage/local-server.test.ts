import { expect, test } from 'vitest';
import { isForeign, targetOf } from './local-server.ts';

test.each([
  ['/a?b=/c', { path: '/a?b=/c' }],
  ['*', { path: '*' }],
  [undefined, { path: '/' }],
  ['http://api.example.test:8080/a%2e/../b?c', { host: 'api.example.test:8080', path: '/a%2e/../b?c' }],
  ['HTTPS://api.example.test', { host: 'api.example.test', path: '/' }],
  ['http://api.example.test?a', { host: 'api.example.test', path: '/?a' }],
])('the request target %s has a path, and in absolute form a host', (target, parts) => {
  expect(targetOf(target)).toEqual(parts);
});

test.each([
  [{}, false],
  [{ host: '127.0.0.1:4010' }, false],
  [{ host: '[::1]:4010' }, false],
  [{ host: 'stub:4010' }, false],
  [{ host: 'tck.localhost' }, false],
  [{ host: 'rebound.example.test' }, true],
  [{ host: 'example.' }, true],
  [{ host: '' }, true],
  [{ host: 'localhost:4010', origin: 'http://localhost:4010' }, false],
  [{ host: 'localhost:4010', origin: 'http://localhost:4011' }, true],
  [{ host: 'localhost:4010', origin: 'null' }, true],
  [{ host: 'localhost:4010', 'sec-fetch-site': 'same-origin' }, false],
  [{ host: 'localhost:4010', 'sec-fetch-site': 'same-site' }, true],
])('a request with %j may come from a page of another site: %s', (headers, foreign) => {
  expect(isForeign(headers)).toBe(foreign);
});
