import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTck, tck } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const folder = temporaryFolder();

test('tck stub --variant random says which variants it chose, and a run with its configuration is green', async () => {
  const config = join(folder, 'tck.config.json');
  const named = ['--seed', '5', '--variant', 'random,one-image-at-a-time'];
  const serving = startTck(['stub', '--port', '0', ...named, '--json', '--write-config', config]);
  onTestFinished(async () => {
    serving.child.kill('SIGKILL');
    await serving.ended;
  });
  const { variants, baseUrl } = JSON.parse(await serving.printed('\n'));
  expect(variants).toContain('one-image-at-a-time');
  expect(variants.length).toBeGreaterThan(10);
  const { code, stdout } = await tck(['run', '--config', config, '--out', folder, '--only', 'schedule,library']);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain(baseUrl);
  serving.child.kill('SIGINT');
  expect((await serving.ended).code).toBe(0);
}, 180_000);

test('tck stub in words lists its variants, and none where there are none', async () => {
  const serving = startTck(['stub', '--port', '0', '--variant', 'plus-zero,bare-dispatch']);
  onTestFinished(() => void serving.child.kill('SIGKILL'));
  const printed = await serving.printed('Stop with Ctrl-C.');
  serving.child.kill('SIGTERM');
  expect(printed).toMatch(/Conforming variants:\n {2}plus-zero +writes UTC as \+00:00.*\n {2}bare-dispatch /);
  await serving.ended;
});
