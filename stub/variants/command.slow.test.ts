import { expect, onTestFinished, test } from 'vitest';
import { startTck } from '../../test/tck.ts';

test('tck stub in words lists its variants, and none where there are none', async () => {
  const serving = startTck(['stub', '--port', '0', '--variant', 'plus-zero,bare-dispatch']);
  onTestFinished(() => void serving.child.kill('SIGKILL'));
  const printed = await serving.printed('Stop with Ctrl-C.');
  serving.child.kill('SIGTERM');
  expect(printed).toMatch(/Conforming variants:\n {2}plus-zero +writes UTC as \+00:00.*\n {2}bare-dispatch /);
  await serving.ended;
});
