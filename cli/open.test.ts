import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const folder = temporaryFolder();

test.runIf(process.platform === 'linux')(
  'the last report is opened in the browser of the desktop (needs Linux)',
  async () => {
    const [opener, page] = [join(folder, 'xdg-open'), join(folder, 'report.html')];
    await writeFile(page, '<title>a report</title>');
    await writeFile(opener, `#!/bin/sh\necho "$1" > '${folder}/opened'\n`, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}` };
    expect(await tck(['open', folder], { env })).toEqual({ code: 0, stdout: `Opened ${page}\n`, stderr: '' });
    expect(await readFile(join(folder, 'opened'), 'utf8')).toBe(`${page}\n`);
    await writeFile(opener, '#!/bin/sh\nexit 3\n');
    const { code, stderr } = await tck(['open', folder], { env });
    expect([code, stderr]).toEqual([2, `tck: xdg-open cannot open ${page}: open the file yourself\n`]);
  },
);

test('without a report nothing is opened', async () => {
  const { code, stderr } = await tck(['open', join(folder, 'none')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("report.html'. Run tck run first")]);
});
