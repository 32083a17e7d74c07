import { expect, test } from 'vitest';
import { httpServer } from '../test/network.ts';
import { tck } from '../test/tck.ts';

const plan = (...args: string[]) => tck(['plan', ...args], { env: { TCK_KEY_PRIMARY: 'secret-key-of-primary' } });

test('a plan sends nothing', async () => {
  let requests = 0;
  await using server = await httpServer((_request, response) => {
    requests += 1;
    response.end();
  });
  const { code, stdout, stderr } = await plan(`http://127.0.0.1:${server.port}`, '--allow', 'all');
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('0 images confirmed on a conforming deployment, at most 16 in any case');
  expect(stdout).toMatch(/\d+ content requests? created, at most 135/);
  expect(stdout).toMatch(/About \d+ seconds if a response takes 0.1 s, at most 20 minutes, plus waits/);
  expect(stdout).toContain("a key for the role 'ambiguous' (TCK_KEY_AMBIGUOUS");
  expect(stdout + stderr).not.toContain('secret-key-of-primary');
  expect(requests).toBe(0);
});

test('a plan says what is allowed in vain, and one that makes no sense is wrong usage', async () => {
  const { code, stdout, stderr } = await plan('https://api.example.test', '--allow', 'spending');
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("\nnote: 'spending' has no effect without 'proposals'");
  expect(stdout).toContain('No image can be confirmed, because the run may not spend');
  expect(stdout).toContain('0 content requests created, at most 0');
  expect((await plan('https://api.example.test', '--only', 'nothing-of-the-kind')).code).toBe(2);
});
