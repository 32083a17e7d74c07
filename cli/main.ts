#!/usr/bin/env node
// Has no static imports and uses plain syntax, so that an old Node.js version can print the message below.

/** Oldest supported Node.js version, identical to `engines` in package.json. */
const minimum = '22.22';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [leastMajor = 0, leastMinor = 0] = minimum.split('.').map(Number);

const tooOld =
  major < leastMajor || (major === leastMajor && minor < leastMinor)
    ? `Node.js ${process.versions.node} is too old: install ${minimum} or newer`
    : undefined;
// Bun replaces undici and lacks the features that the kit sends requests with.
const onBun = process.versions.bun === undefined ? undefined : `Bun does not run tck: use Node.js ${minimum} or Deno`;
const refused = onBun || tooOld;

if (refused !== undefined) {
  process.stderr.write(`tck: ${refused}\n`);
  process.exitCode = 2;
  // Renames an earlier report, so that it cannot be mistaken for the report of this run.
  const [command, ...rest] = process.argv.slice(2);
  const named = /(?:^|\n)--out[=\n]([^\n]+)/.exec(rest.join('\n'))?.[1];
  const out = named ?? (['run', 'judge', 'audit', 'proxy'].includes(command ?? '') ? 'tck-report' : undefined);
  if (out !== undefined) {
    import('../reports/folder.ts')
      .then(({ setAsideReport }) => setAsideReport(out, process.cwd()))
      .catch(() => undefined);
  }
} else {
  // Enabled before large imports. Deno has no compile cache.
  process.getBuiltinModule('node:module').enableCompileCache?.();
  import('./process/main.ts')
    .then(({ main }) => main(process))
    .catch((error) => {
      process.stderr.write(`tck: the installation is damaged: ${error instanceof Error ? error.stack : error}\n`);
      process.exitCode = 3;
    });
}
