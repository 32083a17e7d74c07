import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { counted, summarizeIds } from '../suites/usage/counted.ts';
import { whyNotWritten } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { explainedBy } from './catalogue-place.ts';
import { summaryMarkdown } from './markdown.ts';
import { plain } from './plain.ts';
import type { Report, ReportCause } from './report.ts';
import { severityWords } from './status-words.ts';

/** GitHub shows at most this many annotations of one level for each step. */
const mostOfAKind = 10;

/**
 * GitHub Actions annotations. Each cause has an annotation: an error for a failure, otherwise a warning. Each other
 * reason of a failed gate also has one. The last annotation counts omitted ones.
 */
export function githubAnnotations({ causes, policy }: Report): string {
  const lines = (['error', 'warning'] as const).flatMap((kind) => {
    const ofKind = causes.filter(({ status }) => (kind === 'error') === (status === 'failed'));
    const shown = ofKind.length > mostOfAKind ? ofKind.slice(0, mostOfAKind - 1) : ofKind;
    const rest = ofKind.length - shown.length;
    return [
      ...shown.map((cause) => command(kind, cause.title, annotationOf(cause))),
      ...(rest > 0 ? [command(kind, 'more causes', `${counted(rest, 'more cause')}, see report.html`)] : []),
    ];
  });
  lines.push(...policy.slice(0, mostOfAKind).map((reason) => command('error', 'gate failed', reason)));
  return lines.map((line) => `${line}\n`).join('');
}

function annotationOf({ severity, finding: { expected, actual, hint }, requirements }: ReportCause): string {
  const ids = requirements.map(({ id }) => id);
  const explained = ids
    .slice(0, 1)
    .flatMap(explainedBy)
    .map((place) => ` Explained by ${place}`);
  const violated = `Violates ${summarizeIds(ids)} (${severityWords[severity]}).`;
  return [`expected ${expected}, got ${actual}. ${hint} ${violated}`, ...explained].join('');
}

/** One workflow command. Escapes line breaks and delimiters, so text of a server cannot become a command. */
function command(kind: string, title: string, message: string): string {
  const property = escaped(title).replace(/:/g, '%3A').replace(/,/g, '%2C');
  return `::${kind} title=${property}::${escaped(message)}`;
}

function escaped(text: string): string {
  return plain(text, 1000).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

/** Output stream and environment of a GitHub Actions workflow. */
interface Workflow {
  stdout: NodeJS.WritableStream;
  env: Readonly<Record<string, string | undefined>>;
}

/** Reports a run to another system in addition to the terminal. */
interface Reporter {
  /** Called before anything is printed. */
  begin(): void;
  /** Writes files before the summary is printed. Rejects with a UsageError if writing fails. */
  write(report: Report): Promise<void>;
  /** Called after the summary. */
  end(report: Report): void;
}

export const noReporter: Reporter = { begin: () => {}, write: async () => {}, end: () => {} };

/**
 * Creates annotations, and a job summary if the environment names a file for it. During the run, workflow commands are
 * disabled with a random token, because output can contain text of the server.
 */
export function githubReporter({ stdout, env }: Workflow): Reporter {
  const word = randomUUID();
  return {
    begin() {
      stdout.write(`::stop-commands::${word}\n`);
    },
    async write(report) {
      const file = env.GITHUB_STEP_SUMMARY;
      if (file === undefined || file === '') return;
      await appendFile(file, summaryMarkdown(report)).catch((error: unknown) => {
        throw new UsageError(`GITHUB_STEP_SUMMARY: cannot write '${file}': ${whyNotWritten(error)}`);
      });
    },
    end(report) {
      stdout.write(`::${word}::\n${githubAnnotations(report)}`);
    },
  };
}
