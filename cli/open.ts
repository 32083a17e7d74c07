import { access, lstat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { otherForms } from '../reports/folder.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { ProgramFailed, startProgram } from '../suites/usage/program.ts';
import { megabyte, readText } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { optional } from './command-line/declaration.ts';
import { flag, integer } from './command-line/option.ts';
import type { Surroundings } from './process/surroundings.ts';

export const open = command({
  name: 'open',
  positionals: { report: optional('Folder of a report, or a page in it (default: tck-report)') },
  options: {
    serve: flag('Serve the report on 127.0.0.1 until Ctrl-C, instead of opening a browser'),
    port: integer('With --serve: listen on this port; 0 for a free one', 0, 65_535, 4012),
  },
  examples: [
    ['tck open', 'Open the last report in a browser'],
    ['tck open other-report --serve', 'Serve a report from a machine without a browser'],
  ],

  async run({ report = 'tck-report', serve, port }, around) {
    const place = resolve(around.cwd, report);
    const page = place.endsWith('.html') ? place : join(place, 'report.html');
    await access(page).catch(() => {
      throw new UsageError(`no report at '${page}'. Run tck run first, or name the folder of a report`);
    });
    return serve ? serveReport(page, port, around) : openPage(page, around);
  },
});

const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

async function openPage(page: string, { stdout, stderr, cwd, env }: Surroundings): Promise<number> {
  const opener = openers[process.platform] ?? 'xdg-open';
  const ended = await new Promise<number | null>((end) => {
    startProgram([opener, page], { cwd, env: { ...env }, stdio: 'ignore' })
      .on('error', () => end(null))
      .on('exit', end);
  }).catch((error: unknown) => {
    if (error instanceof ProgramFailed) return null;
    throw error;
  });
  // explorer exits with 1 even if it opened the page.
  if (ended === 0 || opener === 'explorer') {
    stdout.write(`Opened ${page}\n`);
    return exitCodes.ok;
  }
  stderr.write(`tck: ${opener} cannot open ${page}: open it yourself, or run tck open --serve\n`);
  return exitCodes.usage;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  json: 'application/json',
  jsonld: 'application/ld+json',
  svg: 'image/svg+xml',
};

/** Larger than any report of the kit. */
const mostOfReport = 256 * megabyte;

/** Serves the files of a report, and no other files, on the loopback interface. */
async function serveReport(page: string, port: number, { stdout, signal }: Surroundings): Promise<number> {
  if (await isLink(page)) throw new UsageError(`'${page}' is a symbolic link; --serve follows none`);
  const served = new Set([basename(page), 'report.json', ...otherForms]);
  const server = createServer(async (request, response) => {
    const name = request.url === '/' ? basename(page) : (request.url ?? '').slice(1);
    // Prevents DNS rebinding: another site can resolve its own host name to this machine.
    const isHere = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '');
    const text = isHere && served.has(name) ? await contentOf(join(dirname(page), name)) : null;
    if (text === null) return response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    const type = types[name.split('.').at(-1) ?? ''] ?? 'text/plain';
    return response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  await new Promise<void>((listening, fail) => {
    server.once('error', fail).listen(port, '127.0.0.1', listening);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--port: cannot listen on ${port}: ${error.code ?? error.message}`);
  });
  // A server that listens on a TCP port has an AddressInfo.
  stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
  await new Promise<void>((ended) => {
    if (signal.aborted) ended();
    signal.addEventListener('abort', () => ended(), { once: true });
  });
  server.close();
  server.closeAllConnections();
  return exitCodes.ok;
}

/** Text of a file. Null if the path is a symbolic link or the file cannot be read. */
async function contentOf(path: string): Promise<string | null> {
  return (await isLink(path)) ? null : readText(path, mostOfReport).catch(() => null);
}

/** Whether the file itself is a symbolic link. Links in its parent folders are allowed. */
async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => true,
  );
}
