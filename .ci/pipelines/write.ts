// Writes the pipelines of docs/ci.md and of `tck init --ci` to a folder, for the tools of their systems.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { pipelineOf } from '../../cli/pipelines.ts';

const [folder = '.'] = process.argv.slice(2);
const guide = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');
const snippets = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
const written = (['github', 'gitlab'] as const).map(
  (system) => pipelineOf(system, 'tck.config.json', ['TCK_KEY_PRIMARY']).text,
);

for (const [index, text] of [...snippets, ...written].entries()) {
  const value: object = parse(text);
  // Other snippets are parts of a file.
  if ('jobs' in value) writeFileSync(join(folder, `github-${index}.yml`), stringify({ on: ['push'], ...value }));
  else if (/^ {2}script:/m.test(text)) writeFileSync(join(folder, `gitlab-${index}.yml`), text);
}
