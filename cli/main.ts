#!/usr/bin/env node
// No static import, and plain syntax: a Node.js that is too old must get as far as the sentence below.

/** The oldest Node.js that works, as package.json declares it under `engines`. */
const minimum = '22.22';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [leastMajor = 0, leastMinor = 0] = minimum.split('.').map(Number);

const tooOld =
  major < leastMajor || (major === leastMajor && minor < leastMinor)
    ? `Node.js ${process.versions.node} is too old: install ${minimum} or newer`
    : undefined;
// Bun has an undici of its own that lacks what the kit sends requests with.
const onBun = process.versions.bun === undefined ? undefined : `Bun does not run tck: use Node.js ${minimum} or Deno`;
const refused = onBun || tooOld;

if (refused !== undefined) {
  process.stderr.write(`tck: ${refused}\n`);
  process.exitCode = 2;
  // A report of an earlier run must not be taken for the one of this run.
  const [command, ...rest] = process.argv.slice(2);
  const named = /(?:^|\n)--out[=\n]([^\n]+)/.exec(rest.join('\n'))?.[1];
  const out = named ?? (command === 'run' || command === 'judge' ? 'tck-report' : undefined);
  if (out !== undefined) {
    import('../reports/folder.ts')
      .then(({ setAsideReport }) => setAsideReport(out, process.cwd()))
      .catch(() => undefined);
  }
} else {
  // Before anything large is imported; Deno has no such cache.
  process.getBuiltinModule('node:module').enableCompileCache?.();
  import('./process/main.ts')
    .then(({ main }) => main(process))
    .catch((error) => {
      process.stderr.write(`tck: the installation is damaged: ${error instanceof Error ? error.stack : error}\n`);
      process.exitCode = 3;
    });
}
