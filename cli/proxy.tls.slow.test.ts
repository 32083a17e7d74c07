import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../suites/result.ts';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

const client = `
const { TCK_BASE_URL: base, TCK_KEY_SOLE: key } = process.env;
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
const response = await fetch(base + '/api/v1/tools/schedule.read', { method: 'POST', headers, body: '{}' });
const { ok } = await response.json();
console.log(new URL(base).protocol, ok);
`;

const folder = temporaryFolder();

beforeAll(async () => {
  await writeFile(join(folder, 'client.mjs'), client);
});
test('TLS on both sides: the proxy trusts the deployment, the command the proxy, and both are judged', async () => {
  const [out, program] = [join(folder, 'report'), join(folder, 'client.mjs')];
  const proxied = `"${process.execPath}" "${main}" proxy "$TCK_BASE_URL" --tls --out "${out}"`;
  const line = `${proxied} -- "${process.execPath}" "${program}"`;
  const { code, stdout, stderr } = await tck(['stub', '--tls', '--defect', 'days-empty', '--', 'sh', '-c', line]);
  expect([code, stdout], stderr).toEqual([1, expect.stringContaining('https: true')]);
  expect(stderr).toContain('✗ schedule.days');
  const { target, summary }: RunResult = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  expect([target.baseUrl, summary.requests]).toEqual([expect.stringMatching(/^https:/), 1]);
});

test.each([
  [['--tls-cert', 'cert.pem'], /--tls-cert and --tls-key go together/],
  [['--tls-cert', 'none.pem', '--tls-key', 'none.pem'], /--tls-cert: cannot read none\.pem/],
  [['--tls-cert', 'client.mjs', '--tls-key', 'client.mjs'], /--tls-cert: /],
])('%j is explained', async (args, message) => {
  const { code, stderr } = await tck(['proxy', 'https://a.example.test', '--port', '0', ...args], { cwd: folder });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
