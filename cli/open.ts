import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ProgramFailed, startProgram } from '../suites/usage/program.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { exitCodes } from '../suites/verdict.ts';
import { optional } from './command-line/declaration.ts';
import { commandOf } from './command-line/parse.ts';
import type { Surroundings } from './process/surroundings.ts';

export const command = commandOf({
  name: 'open',
  positionals: { report: optional('Folder of a report, or a page in it (default: tck-report)') },
  options: {},
  examples: [['tck open', 'Open the last report in a browser']],

  async run({ report = 'tck-report' }, around) {
    const place = resolve(around.cwd, report);
    const page = place.endsWith('.html') ? place : join(place, 'report.html');
    await access(page).catch(() => {
      throw new UsageError(`no report at '${page}'. Run tck run first, or name the folder of a report`);
    });
    return openPage(page, around);
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
  stderr.write(`tck: ${opener} cannot open ${page}: open the file yourself\n`);
  return exitCodes.usage;
}
