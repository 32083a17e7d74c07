import { expect, test } from 'vitest';
import { httpServer } from '../test/network.ts';
import { tck } from '../test/tck.ts';

test('a plan sends nothing', async () => {
  let requests = 0;
  await using server = await httpServer((_request, response) => {
    requests += 1;
    response.end();
  });
  const ended = await tck(['plan', `http://127.0.0.1:${server.port}`, '--allow', 'all'], {
    env: { TCK_KEY_PRIMARY: 'secret-key-of-primary' },
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain('0 images confirmed on a conforming deployment, at most 16 in any case');
  expect(ended.stdout).toMatch(/\d+ content requests? created, at most 135/);
  expect(ended.stdout).toMatch(/About \d+ seconds if a response takes 0.1 s, at most 20 minutes, plus waits/);
  expect(ended.stdout).toContain("a key for the role 'ambiguous' (TCK_KEY_AMBIGUOUS");
  expect(ended.stdout + ended.stderr).not.toContain('secret-key-of-primary');
  expect(requests).toBe(0);
});

test('a plan says what is allowed in vain', async () => {
  const ended = await tck(['plan', 'https://api.example.test', '--allow', 'spending'], {
    env: { TCK_KEY_PRIMARY: 'key-of-primary' },
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain("\nnote: 'spending' has no effect without 'proposals'");
  expect(ended.stdout).toContain('No image can be confirmed, because the run may not spend');
  expect(ended.stdout).toContain('0 content requests created, at most 0');
});

test('a plan that makes no sense is wrong usage', async () => {
  const ended = await tck(['plan', 'https://api.example.test', '--only', 'nothing-of-the-kind'], {
    env: { TCK_KEY_PRIMARY: 'key-of-primary' },
  });
  expect(ended.code).toBe(2);
});
