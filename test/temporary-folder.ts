import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Creates a folder and removes it after the tests of the file or of the group. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tck-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
