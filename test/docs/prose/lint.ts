// `npm run lint:prose`: checks the words in pages, comments and string literals. `-- --update` lowers the numbers in
// counts.json. `-- FOLDER` prints all problems in the code of a folder.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import terminology from 'textlint-rule-terminology';
import writeGood from 'textlint-rule-write-good';
import { openings, terms } from './terms.ts';
import { textsOf } from './texts.ts';

const root = new URL('../../../', import.meta.url);
const countsFile = new URL('counts.json', import.meta.url);

/** Pages that are generated from checked sources, or that quote the specification. */
const generated = ['docs/requirements/', 'docs/detection.md', 'docs/commands.md', 'docs/project/causes.md'];

/** Folder that contains the words to avoid. */
const exempt = 'test/docs/prose/';

/** Problems in a file, each with its line number. */
async function found(kernel: TextlintKernel, path: string): Promise<string[]> {
  const source = readFileSync(new URL(path, root), 'utf8');
  const code = path.endsWith('.ts');
  const { messages } = await kernel.lintText(code ? textsOf(source) : source, optionsFor(path, code));
  return messages.map(({ line, message }) => `${path}:${line}: ${message.replaceAll(/[“”]/g, "'")}`);
}

function optionsFor(filePath: string, code: boolean): TextlintKernelOptions {
  const checks = { weasel: false, passive: false, adverb: false, tooWordy: false, so: false, illusion: !code };
  return {
    filePath,
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: [
      {
        ruleId: 'terminology',
        rule: terminology,
        options: { defaultTerms: false, terms: code ? [...terms, ...openings] : terms },
      },
      { ruleId: 'write-good', rule: writeGood.default, options: checks },
    ],
  };
}

const folderOf = (path: string) => (path.endsWith('.md') ? 'pages' : (path.split('/')[0] ?? ''));

const tracked = execFileSync('git', ['ls-files', '*.md', '*.ts'], { cwd: fileURLToPath(root), encoding: 'utf8' });
const files = tracked
  .trim()
  .split('\n')
  .filter((path) => ![...generated, exempt].some((prefix) => path.startsWith(prefix)) && !path.includes('.generated.'));

const kernel = new TextlintKernel();
const byFolder = new Map<string, string[]>();
for (const path of files) {
  const folder = folderOf(path);
  byFolder.set(folder, [...(byFolder.get(folder) ?? []), ...(await found(kernel, path))]);
}

const allowed: Record<string, number> = JSON.parse(readFileSync(countsFile, 'utf8'));
const [wanted] = process.argv.slice(2);
for (const [folder, problems] of byFolder) {
  const most = allowed[folder] ?? 0;
  const over = problems.length > most;
  if (wanted === folder || (over && most === 0)) console.log(problems.join('\n'));
  if (wanted === folder || over) {
    console.log(`${folder}: ${problems.length} words to change, at most ${most}: npm run lint:prose -- ${folder}`);
  }
  if (over && wanted !== '--update') process.exitCode = 1;
}
if (wanted === '--update') {
  const counts = [...byFolder].map(([folder, { length }]) => [folder, Math.min(length, allowed[folder] ?? length)]);
  writeFileSync(countsFile, `${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`);
}
