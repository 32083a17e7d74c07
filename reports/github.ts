import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { counted, summarizeIds } from '../suites/usage/counted.ts';
import { whyNotWritten } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { summaryMarkdown } from './markdown.ts';
import { limited, plain } from './plain.ts';
import type { Report, ReportCause } from './report.ts';
import { severityWords } from './status-words.ts';
import { explainCommand } from './test-cases.ts';

/** GitHub shows at most ten annotations of one level for each step. The last one counts the others. */
const mostOfAKind = 9;

/**
 * GitHub Actions annotations: an error for each reason of a failed gate that is no failure, and for each failure, and a
 * warning for each other cause. The last annotation of a level counts omitted ones.
 */
export function githubAnnotations({ causes, policy }: Report): string {
  const about = (kind: string, failed: boolean) =>
    causes
      .filter(({ status }) => (status === 'failed') === failed)
      .map((cause) => command(kind, cause.title, annotationOf(cause)));
  const reasons = policy.map((reason) => command('error', 'gate failed', reason));
  const shown = (kind: string, lines: readonly string[]) =>
    limited(lines, mostOfAKind, (rest) =>
      command(kind, 'more causes', `${counted(rest, 'more cause')}, see report.html`),
    );
  return [...shown('error', [...reasons, ...about('error', true)]), ...shown('warning', about('warning', false))]
    .map((line) => `${line}\n`)
    .join('');
}

function annotationOf({ severity, finding, requirement, requirements }: ReportCause): string {
  const { expected, actual, hint } = finding;
  const violated = `Violates ${summarizeIds(requirements.map(({ id }) => id))} (${severityWords[severity]}).`;
  const command = explainCommand(requirement.id);
  const explained = command === undefined ? '' : ` Explained by ${command}`;
  return `expected ${expected}, got ${actual}. ${hint} ${violated}${explained}`;
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

/**
 * Creates annotations, and a job summary if the environment names a file for it. During the run, workflow commands are
 * disabled with a random token, because output can contain text of the server.
 */
export function githubReporter({ stdout, env }: Workflow) {
  const word = randomUUID();
  return {
    /** Called before anything is printed. */
    begin() {
      stdout.write(`::stop-commands::${word}\n`);
    },
    /** Writes the job summary before the terminal's. Rejects with a UsageError if writing fails. */
    async write(report: Report) {
      const file = env.GITHUB_STEP_SUMMARY;
      if (file === undefined || file === '') return;
      await appendFile(file, summaryMarkdown(report)).catch((error: unknown) => {
        throw new UsageError(`GITHUB_STEP_SUMMARY: cannot write '${file}': ${whyNotWritten(error)}`);
      });
    },
    /** Called after the summary. */
    end(report: Report) {
      stdout.write(`::${word}::\n${githubAnnotations(report)}`);
    },
  };
}
