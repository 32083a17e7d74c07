import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import type { ReportedFinding, RunResult } from '../suites/result.ts';
import { whyNotWritten } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { explainedBy } from './catalogue-place.ts';
import { groupFindings } from './findings.ts';
import { summaryMarkdown } from './markdown.ts';
import { plain } from './plain.ts';
import { counted, policyReasons } from './status-words.ts';

/** GitHub shows no more annotations of one kind for one step. */
const mostOfAKind = 10;

/**
 * Lines that GitHub Actions turns into annotations: one for each cause, an error for a failure and a warning otherwise,
 * and one for each other reason of a gate that failed. What does not fit is counted in the last.
 */
export function githubAnnotations(result: RunResult): string {
  const groups = groupFindings(result);
  const policy = policyReasons(result);
  const lines = (['error', 'warning'] as const).flatMap((kind) => {
    const ofKind = groups.filter(({ status }) => (kind === 'error') === (status === 'failed'));
    const shown = ofKind.length > mostOfAKind ? ofKind.slice(0, mostOfAKind - 1) : ofKind;
    const rest = ofKind.length - shown.length;
    return [
      ...shown.map(({ requirement, finding }) => command(kind, requirement.id, annotationOf(requirement.id, finding))),
      ...(rest > 0 ? [command(kind, 'more findings', `${counted(rest, 'more finding')}, see report.html`)] : []),
    ];
  });
  lines.push(...policy.slice(0, mostOfAKind).map((reason) => command('error', 'gate failed', reason)));
  return lines.map((line) => `${line}\n`).join('');
}

function annotationOf(id: string, { expected, actual, hint }: ReportedFinding): string {
  const explained = explainedBy(id).map((place) => ` Explained by ${place}`);
  return [`expected ${expected}, got ${actual}. ${hint}`, ...explained].join('');
}

/**
 * One workflow command. Line breaks and delimiters are written as GitHub wants them, so that no text of a server
 * becomes a command.
 */
function command(kind: string, title: string, message: string): string {
  const property = escaped(title).replace(/:/g, '%3A').replace(/,/g, '%2C');
  return `::${kind} title=${property}::${escaped(message)}`;
}

function escaped(text: string): string {
  return plain(text, 1000).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

/** Where GitHub Actions reads. */
export interface Workflow {
  stdout: NodeJS.WritableStream;
  env: Readonly<Record<string, string | undefined>>;
}

/** Tells a run to somebody beside the terminal. */
export interface Reporter {
  /** Before anything is printed. */
  begin(): void;
  /** Writes the files, before the summary is printed. Rejects with a UsageError if that is not possible. */
  write(result: RunResult): Promise<void>;
  /** After the summary. */
  end(result: RunResult): void;
}

export const noReporter: Reporter = { begin: () => {}, write: async () => {}, end: () => {} };

/**
 * Makes annotations, and a job summary where the environment names a file for it. While the run prints what a server
 * sent, GitHub Actions is told to see no commands in it, by a word that the server cannot guess.
 */
export function githubReporter({ stdout, env }: Workflow): Reporter {
  const word = randomUUID();
  return {
    begin() {
      stdout.write(`::stop-commands::${word}\n`);
    },
    async write(result) {
      const file = env.GITHUB_STEP_SUMMARY;
      if (file === undefined || file === '') return;
      await appendFile(file, summaryMarkdown(result)).catch((error: unknown) => {
        throw new UsageError(`GITHUB_STEP_SUMMARY: cannot write '${file}': ${whyNotWritten(error)}`);
      });
    },
    end(result) {
      stdout.write(`::${word}::\n${githubAnnotations(result)}`);
    },
  };
}
