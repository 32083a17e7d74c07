import { expect, test } from 'vitest';
import { credentialOf } from './credential.ts';

const line = (header: string) => `curl -sS -i -X POST 'http://x/y' -H "${header}" -H 'content-type: application/json'`;

test.each([
  'authorization: Bearer $TCK_KEY_PRIMARY',
  `authorization: Bearer \${TCK_KEY_PRIMARY%?}`,
  `authorization: Bearer token=\\"\${TCK_KEY_PRIMARY}\\"`,
  `authorization: Basic $(printf %s "any:$TCK_KEY_PRIMARY" | base64 | tr -d '\\n')`,
  `authorization: Bearer $(printf %s "$TCK_KEY_PRIMARY" | head -c 45)88\${TCK_KEY_PRIMARY:47}`,
  `authorization: Bearer $(printf %s "$TCK_KEY_PRIMARY" | tail -c +46 | head -c 2 | tr 'a-zA-Z' 'A-Za-z')`,
])('%s is copied', (header) => {
  expect(credentialOf(line(header))).toEqual({ headers: [header], variables: ['TCK_KEY_PRIMARY'] });
});

test.each([
  'authorization: $(touch x)',
  'authorization: `touch x`',
  'authorization: $(printf %s "$K" | sh)',
  `authorization: $(printf %s "$K" | sed 's/x/y/e')`,
  `authorization: $(printf %s "$K" | tr 'a' 'b'; touch x)`,
  `authorization: \${K:-$(touch x)}`,
])('%s is not', (header) => {
  expect(credentialOf(line(header))).toBeUndefined();
});

test('a key in the address is copied with it', () => {
  expect(credentialOf('curl -sS -i -X POST "http://x/y?key=$TCK_KEY_PRIMARY"')).toEqual({
    url: 'http://x/y?key=$TCK_KEY_PRIMARY',
    headers: [],
    variables: ['TCK_KEY_PRIMARY'],
  });
});

test('a request without a credential has no words', () => {
  expect(credentialOf(`curl -sS -i -X POST 'http://x/y' --data-raw '-H "x: $(y)"'`)).toEqual({
    headers: [],
    variables: [],
  });
});

test('another line is not read', () => {
  expect(credentialOf('wget x')).toBeUndefined();
  expect(credentialOf('')).toBeUndefined();
});
