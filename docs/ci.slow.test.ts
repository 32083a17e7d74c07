import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadKnownFailures } from '../reports/known-failures.ts';
import { createStub } from '../stub/index.ts';
import { writeConfiguration } from '../stub/serve/configuration.ts';
import { kit } from '../suites/kit.ts';
import { ran, writeTck } from '../test/tck.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const guide = await read('ci.md');
const snippets = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text));

const folder = temporaryFolder();
// Three concurrent parts together exceed the default rate limit of a key.
const stub = createStub({ control: true, rateLimit: 6000 });
let baseUrl = '';

beforeAll(async () => {
  ({ baseUrl } = await stub.listen());
  await writeConfiguration(join(folder, 'tck.config.json'), stub, baseUrl);
  // Replaces the installation in the first line of each script.
  await writeTck(folder);
});

afterAll(() => stub.close());

const linesOf = ({ script }: { script: string[] }) => {
  const [install, ...lines] = script;
  expect(install).toBe(`npm install --global --ignore-scripts ${kit.name}@${kit.version}`);
  return lines;
};

test('the job for GitHub gives the action what it takes', async () => {
  const { inputs } = parse(await read('../action.yml'));
  const [{ jobs }] = snippets;
  const step = jobs.conformance.steps.at(-1);
  expect(step.uses).toMatch(new RegExp(`^[\\w-]+/${kit.name}@COMMIT_OF_THE_RELEASE$`));
  expect(guide).toContain(`@COMMIT_OF_THE_RELEASE # v${kit.version}\n`);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
});

test('the job for GitLab runs, and leaves what it says are its artifacts', async () => {
  const [, , { conformance }] = snippets;
  const env = { PATH: [folder, process.env.PATH].join(delimiter), TCK_KEY_PRIMARY: stub.keys.primary };
  for (const line of linesOf(conformance)) {
    const command = line.replace('https://staging.example.test', baseUrl);
    const { code, stdout, stderr } = await ran('bash', ['-e', '-c', command], { cwd: folder, env });
    expect(code, stdout + stderr).toBe(0);
  }
  expect(await readFile(join(folder, conformance.artifacts.reports.junit), 'utf8')).toContain('<testsuite');
});

test('the list of known failures is one', async () => {
  const [text = ''] = /^- requirement:.*?(?=^```)/ms.exec(guide) ?? [];
  const path = join(folder, 'known-failures.yaml');
  await writeFile(path, text);
  expect(await loadKnownFailures(path)).toMatchObject([{ requirement: 'unknown-tools.name-not-in-body' }]);
});
