import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { files, withOwner } from '../.ci/prepare-release.ts';
import packageJson from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };

interface Locked extends Partial<Record<'dev' | 'peer' | 'optional' | 'devOptional', boolean>> {
  version?: string;
}

type Component = Record<'name' | 'version', string>;

test('the bill of materials lists what users install, and nothing else', async () => {
  const script = fileURLToPath(new URL('../.ci/sbom', import.meta.url));
  const env = { ...process.env, npm_config_offline: 'true' };
  const { stdout } = await promisify(execFile)(script, { env, maxBuffer: 2 ** 24 });
  const bill: { bomFormat: string; metadata: { component: Component }; components: Component[] } = JSON.parse(stdout);
  expect(bill.bomFormat).toBe('CycloneDX');
  expect(bill.metadata.component).toMatchObject({ name: packageJson.name, version: packageJson.version });
  const installed = Object.entries<Locked>(lock.packages).flatMap(([path, { version, ...flags }]) => {
    const isLeftOut = flags.dev || flags.peer || flags.optional || flags.devOptional;
    return path === '' || isLeftOut ? [] : [`${path.split('node_modules/').at(-1)} ${version}`];
  });
  const listed = bill.components.map(({ name, version }) => `${name} ${version}`);
  expect(listed.sort()).toEqual([...new Set(installed)].sort());
});

test('release:prepare puts the owner into every file that names it, and nothing else has a placeholder', async () => {
  const url = 'https://github.com/octo-cat/content-workspace-tck';
  for (const file of files) {
    const before = await readFile(new URL(`../${file}`, import.meta.url), 'utf8');
    const after = withOwner(file, before, 'octo-cat');
    expect(after, file).not.toMatch(/OWNER\/|before the release/);
    if (file !== 'package.json') continue;
    const repository = { type: 'git', url: `git+${url}.git` };
    const links = { homepage: `${url}#readme`, bugs: `${url}/issues`, repository };
    expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), ...links });
  }
  const { stdout } = await promisify(execFile)('git', ['grep', '-lE', 'github.com/OWNER|OWNER/content'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  // On a release commit, only this test has the placeholder.
  expect([...files, 'docs/releasing.test.ts']).toEqual(expect.arrayContaining(stdout.trim().split('\n')));
});

test('the workflow publishes with provenance, runs no install scripts and has no token of the registry', async () => {
  const guide = await readFile(new URL('releasing.md', import.meta.url), 'utf8');
  const [, text = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  const { permissions, jobs } = parse(text);
  expect(permissions).toEqual({});
  expect(jobs.publish.permissions['id-token']).toBe('write');
  const runs: string[] = jobs.publish.steps.flatMap(({ run = [] }) => run);
  const commands = runs.filter((run) => /^npm (?:ci|install|publish)/.test(run));
  expect(commands.length).toBeGreaterThan(2);
  for (const command of commands) expect(command).toContain('--ignore-scripts');
  expect(commands.at(-1)).toContain('--provenance');
  expect(runs).toContain('npm audit signatures');
  expect(text).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN/);
});
