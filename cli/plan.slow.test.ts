import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../reports/plan.ts';
import type { RunResult } from '../suites/result.ts';
import { httpServer } from '../test/network.ts';
import { startTck, tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();

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

test.each([
  ['--allow', 'none'],
  ['--allow', 'all'],
  ['--allow', 'all', '--only', 'confirmations.changed-count'],
  ['--allow', 'all', '--only', 'schedule,rate-limit.code'],
])('a run with %s %s %s %s keeps to its plan', async (...given) => {
  const config = join(folder, `${given.join('-')}.json`);
  const stub = startTck(['stub', '--port', '0', '--json', '--write-config', config]);
  await stub.printed('\n');
  const options = ['--config', config, ...given.filter((each) => each !== undefined)];
  const planned: Plan = JSON.parse((await tck(['plan', '--json', ...options])).stdout);
  const ran = await tck(['run', ...options, '--out', folder]);
  stub.child.kill();
  expect(ran.code, ran.stdout).toBe(0);
  const { summary }: RunResult = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect(summary).toMatchObject({
    imagesConfirmed: planned.imagesConfirmed,
    contentRequestsCreated: planned.contentRequestsCreated,
  });
  const total = Object.values(planned.requests).reduce((sum, count) => sum + count, 0);
  expect(Math.abs(summary.requests - total)).toBeLessThanOrEqual(total * 0.05);
  expect(planned.maxImages).toBeGreaterThanOrEqual(summary.imagesConfirmed);
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

test.each([
  ['none', 0, 0],
  ['writes', 0, 135],
  ['proposals', 16, 0],
])('the ceilings of a plan with --allow %s are %i images and %i content requests', async (allow, images, created) => {
  const ended = await tck(['plan', 'https://api.example.test', '--allow', allow, '--json'], {
    env: { TCK_KEY_PRIMARY: 'key-of-primary' },
  });
  expect(JSON.parse(ended.stdout)).toMatchObject({ maxImages: images, maxContentRequests: created });
});

test('a plan that makes no sense is wrong usage', async () => {
  const ended = await tck(['plan', 'https://api.example.test', '--only', 'nothing-of-the-kind'], {
    env: { TCK_KEY_PRIMARY: 'key-of-primary' },
  });
  expect(ended.code).toBe(2);
});
