import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RequirementId } from '../fixtures/requirements/model.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { whyNotWritten, writeWhole } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { required } from './command-line/declaration.ts';
import { choice } from './command-line/option.ts';
import { runners, storyTemplate, testTemplate } from './story-template.ts';

export const newFile = command({
  name: 'new',
  positionals: {
    what: required('What to write: story'),
    name: required("ID of the first requirement: your team's prefix and a name, such as acme.request-id"),
  },
  options: { test: choice('Test runner of the test (default: node)', runners) },
  examples: [
    ['tck new story acme.request-id', 'Write a story and its test'],
    ['tck new story acme.request-id --test vitest', 'Write the test for vitest'],
  ],

  /** Writes the skeleton of a story and of its test into the current folder. Never replaces a file. */
  async run({ what, name, test = 'node' }, { cwd, stdout }) {
    if (what !== 'story') throw new UsageError(`what: expected story, got '${what}'`);
    // A large module: usage errors of the line above do not wait for it.
    const { problemOfId } = await import('../suites/own-stories/check.ts');
    const problem = problemOfId(name);
    if (problem !== undefined) throw new UsageError(`name: ${problem}`);
    const base = name.replaceAll('.', '-');
    const [storyFile, testFile] = [`${base}.stories.mjs`, `${base}.test.mjs`];
    for (const file of [storyFile, testFile]) await assertFree(resolve(cwd, file), file);
    // `problemOfId` found a prefix and a name.
    await write(resolve(cwd, storyFile), storyTemplate(name as RequirementId));
    await write(resolve(cwd, testFile), testTemplate(name, storyFile, test));
    const tested = test === 'node' ? `node --test ${testFile}` : `npx vitest run ${testFile}`;
    stdout.write(
      [
        `Wrote ${storyFile} and ${testFile}.`,
        'Next steps:',
        `  ${tested}`,
        `  tck run --stub --stories ${storyFile} --only ${name}`,
        '',
      ].join('\n'),
    );
    return exitCodes.ok;
  },
});

async function assertFree(path: string, file: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new UsageError(`${file}: the file exists. Rename it, or use another ID.`);
}

async function write(path: string, text: string): Promise<void> {
  await writeWhole(path, text).catch((error: unknown) => {
    throw new UsageError(`${path}: ${whyNotWritten(error)}`);
  });
}
