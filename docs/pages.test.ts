import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands, isCommand } from '../cli/commands.ts';
import { commandsFile, commandsPage } from '../test/docs/commands.ts';
import { requirementsFile, requirementsPage } from '../test/docs/requirements.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];
const textOf = (page: string) => readFile(join(root, page), 'utf8');

test('docs/commands.md is what the declarations of the commands generate', async () => {
  const stale = 'docs/commands.md is stale: run npm run generate:commands';
  expect(await readFile(commandsFile, 'utf8'), stale).toBe(await commandsPage());
});

test('docs/requirements.md is what the requirements generate', async () => {
  const stale = 'docs/requirements.md is stale: run npm run generate:requirements';
  expect(await readFile(requirementsFile, 'utf8'), stale).toBe(requirementsPage());
});

test('the README fits on two screens', async () => {
  expect((await textOf('README.md')).split('\n').length).toBeLessThanOrEqual(111);
});

/** Anchors that GitHub and VitePress generate from headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(pages)('%s: every link leads to a file and a heading that exist', async (page) => {
  const text = (await textOf(page)).replaceAll(/^```.*?^```/gms, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  for (const link of links.filter((each) => !/^[a-z]+:/.test(each))) {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    await expect(access(join(root, file)), `${page} links to ${link}`).resolves.toBeUndefined();
    if (anchor === undefined) continue;
    expect([...anchorsOf(await textOf(file))], `${page} links to ${link}`).toContain(anchor);
  }
});

/** `tck` command lines in code, each with its options up to `--` or the end of the command. */
function commandLines(text: string): { line: string; name: string; options: string[] }[] {
  const blocks = [...text.matchAll(/^```.*?^```|^(?: {4}|\t).*$/gms)].map(([block]) => block);
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const lines = [...blocks, ...spans].flatMap((code) => code.replaceAll(/\\\n/g, '').split('\n'));
  return lines.flatMap((line) =>
    [...line.matchAll(/(?:^|[\s'"])tck ([a-z]+)([^|;&#]*)/g)].map(([, name = '', rest = '']) => ({
      line,
      name,
      options: [...(rest.split(' -- ')[0] ?? '').matchAll(/\s--([a-z][a-z-]*)/g)].map(([, option = '']) => option),
    })),
  );
}

// The package `tck` on npm is somebody else's, and `npx tck` without an installation runs it.
test.each(pages)('%s: npx never downloads the package tck', async (page) => {
  expect(await textOf(page)).not.toMatch(/npx (?!--no )(?:-\S+ )*tck\b/);
});

const tried = pages.filter((page) => page !== 'CHANGELOG.md');

test.each(tried)('%s: every command and option of tck exists', async (page) => {
  for (const { line, name, options } of commandLines(await textOf(page))) {
    if (name === 'help') continue;
    expect(isCommand(name), `${page}: ${line}`).toBe(true);
    if (!isCommand(name)) continue;
    const { form } = await commands[name].load();
    const known = Object.entries(form.options).flatMap(([option, { alias }]) => [option, `no-${option}`, alias]);
    for (const option of options.filter((each) => each !== 'help')) expect(known, `${page}: ${line}`).toContain(option);
  }
});
