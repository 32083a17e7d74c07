import { resolve } from 'node:path';
import { plain } from '../reports/plain.ts';
import { shellWords } from '../suites/session/shell.ts';
import type { ConfiguredCommand, Consent } from '../suites/target/commands.ts';
import { isThere } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import type { Surroundings } from './process/surroundings.ts';

interface ConfigOptions {
  readonly config?: string | undefined;
  /** False with --no-commands, and for a configuration that was found. */
  readonly commands: boolean;
}

const usualName = 'tck.config.json';

/**
 * Without `--config`, finds the configuration in the current folder. Somebody else may have written that file, so its
 * commands do not run.
 */
export async function withFoundConfig<Options extends ConfigOptions>(options: Options, cwd: string): Promise<Options> {
  if (options.config !== undefined || !(await isThere(resolve(cwd, usualName)))) return options;
  return { ...options, config: usualName, commands: false };
}

/**
 * `--config FILE` without `--no-commands` is consent to the commands in the file. Prints the commands in full before
 * the first one runs.
 */
export function consentOf({ config, commands }: ConfigOptions, { stderr }: Surroundings): Consent {
  let isPrinted = false;
  return (all) => {
    assertAllowed(all, commands);
    if (!isPrinted) {
      const lines = commandLines(all).map((line) => `  ${line}\n`);
      stderr.write(`tck: ${config} runs these commands:\n${lines.join('')}`);
    }
    isPrinted = true;
    return true;
  };
}

/** Collects the commands instead of running them. */
export function consentToNone({ commands }: ConfigOptions): { consent: Consent; notices: string[] } {
  const notices: string[] = [];
  const consent: Consent = (all) => {
    assertAllowed(all, commands);
    notices.push(...commandLines(all).map((line) => `tck run starts the command of ${line}`));
    return false;
  };
  return { consent, notices };
}

function assertAllowed([first]: readonly ConfiguredCommand[], commands: boolean): void {
  if (commands || first === undefined) return;
  throw new UsageError(
    `${first.field}: expected no command without --config FILE or with --no-commands, got ${lineOf(first.command)}`,
  );
}

function commandLines(all: readonly ConfiguredCommand[]): string[] {
  return all.map(({ field, command }) => `${plain(field)}: ${lineOf(command)}`);
}

/** Never shortened, because the end of a command can be the dangerous part. */
function lineOf(command: readonly string[]): string {
  return plain(shellWords(command), Number.POSITIVE_INFINITY);
}
