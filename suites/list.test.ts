import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { defects } from '../fixtures/defects.ts';
import { list } from './list.ts';

async function printed(options: Parameters<typeof list>[0]): Promise<string> {
  const written: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  await list(options, { stdout: sink });
  return written.join('');
}

test('defects are listed by topic, each with what it does and breaks', async () => {
  const text = await printed({ json: false, defects: true });
  expect(text).toMatch(/^envelopes\n {2}balance-as-plain-text\n {4}sends the balance as text\/plain\n/);
  expect(text).toContain('\nrace\n');
  expect(text).toContain('    breaks: rate-limit.per-key\n');
  expect(text).toMatch(new RegExp(`\n${Object.keys(defects).length} defects\n$`));
  expect(JSON.parse(await printed({ json: true, defects: true }))[0]).toEqual({
    id: 'balance-as-plain-text',
    what: 'sends the balance as text/plain',
    breaks: ['envelopes.json-200'],
  });
});
