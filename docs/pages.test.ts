import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands, isCommand } from '../cli/commands.ts';
import { targetConfig } from '../fixtures/target-config.ts';
import { commandsFile, commandsPage } from '../test/docs/commands.ts';
import { configurationFile, configurationPage } from '../test/docs/configuration.ts';
import { requirementsFile, requirementsPage } from '../test/docs/requirements.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
const textOf = (page: string) => readFile(join(root, page), 'utf8');

test.each([
  ['commands', commandsFile, commandsPage],
  ['requirements', requirementsFile, async () => requirementsPage()],
  ['contract', configurationFile, async () => configurationPage()],
] as const)('a generated page is fresh; npm run generate:%s renews it', async (_, file, page) => {
  expect(await readFile(file, 'utf8')).toBe(await page());
});

test('the page on the configuration names its members, and has an example that is valid', () => {
  for (const member of ['baseUrl', 'keys.ROLE.env', 'workspaces[].board', 'clock.advance.command', 'pace.maxBurst'])
    expect(configurationPage()).toContain(`| \`${member}\` | `);
  const [example = ''] = /^ {4}\{$.*?^ {4}\}$/ms.exec(configurationPage()) ?? [];
  expect(targetConfig.safeParse(JSON.parse(example))).toMatchObject({ success: true });
});

test('the README fits on two screens', async () => {
  expect((await textOf('README.md')).split('\n').length).toBeLessThanOrEqual(111);
});

/** Anchors that GitHub and VitePress generate from headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading);
  const withoutLinks = headings.map((heading) => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase());
  return new Set(withoutLinks.map((each) => each.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')));
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
