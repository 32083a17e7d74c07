import { expect, test } from 'vitest';
import { defects } from '../stub/variants/defects.ts';
import { tck } from '../test/tck.ts';

test('defects are listed by topic, each with what it does and breaks', async () => {
  const [{ stdout: text }, json] = await Promise.all([
    tck(['list', '--defects']),
    tck(['list', '--defects', '--json']),
  ]);
  expect(text).toMatch(/^envelopes\n {2}byte-order-mark\n {4}starts the response body/);
  expect(text).toContain('\nrate-limit\n');
  expect(text).toContain('    breaks: rate-limit.served-after-waiting\n');
  expect(text).toMatch(new RegExp(`\n${Object.keys(defects).length} defects\n$`));
  expect(JSON.parse(json.stdout)[0]).toEqual({
    id: 'byte-order-mark',
    what: 'starts the response body of connections.status with a byte order mark',
    breaks: ['envelopes.json-200', 'connections.answers'],
  });
});
