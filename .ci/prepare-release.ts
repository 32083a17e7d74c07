// `npm run release:prepare -- OWNER`: sets the GitHub account that publishes the kit in all files that mention it.
// Removes notes that are obsolete after the first release.
import { readFileSync, writeFileSync } from 'node:fs';
import { kit } from '../suites/kit.ts';

const root = new URL('../', import.meta.url);

/** Files that mention the owner or have a note that is obsolete after the first release. */
export const files = ['package.json', 'README.md', 'docs/ci.md'] as const;

/** Returns the text of a file with the owner and without obsolete notes. */
export function withOwner(file: (typeof files)[number], text: string, owner: string): string {
  if (file === 'package.json') return withRepository(text, `github.com/${owner}/${kit.name}`);
  return text
    .replaceAll(/<!-- before the release -->\n.*?<!-- end -->\n/gs, '')
    .replaceAll(`OWNER/${kit.name}`, `${owner}/${kit.name}`);
}

function withRepository(text: string, place: string): string {
  const { license, ...before } = JSON.parse(text);
  const links = {
    homepage: `https://${place}#readme`,
    bugs: `https://${place}/issues`,
    repository: { type: 'git', url: `git+https://${place}.git` },
  };
  const names = Object.keys(before);
  const head = names.slice(0, names.indexOf('type'));
  const entries = (of: readonly string[]) => of.map((name) => [name, before[name]]);
  const ordered = Object.fromEntries([...entries(head), ...Object.entries({ ...links, license })]);
  return `${JSON.stringify({ ...ordered, ...before, ...links }, null, 2)}\n`;
}

if (import.meta.main) {
  const [owner = ''] = process.argv.slice(2);
  if (/^[a-z\d](?:-?[a-z\d]){0,38}$/i.test(owner)) {
    for (const file of files) {
      const url = new URL(file, root);
      writeFileSync(url, withOwner(file, readFileSync(url, 'utf8'), owner));
    }
  } else {
    console.error(`OWNER: expected the name of a GitHub account, got '${owner}'. Run npm run release:prepare -- OWNER`);
    process.exitCode = 2;
  }
}
