import { resolve } from 'node:path';
import type { z } from 'zod';
import { envelopeSchema, isSignedBy, statementType } from '../reports/attestation/dsse.ts';
import { type Statement, statementSchema } from '../reports/attestation/statement.ts';
import { loadWithDigest } from '../reports/load.ts';
import { plain } from '../reports/plain.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { counted } from '../suites/usage/counted.ts';
import { megabyte, readText, whyNotRead } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { required } from './command-line/declaration.ts';
import { text } from './command-line/option.ts';
import { publicKeyIn } from './signing.ts';
import { commitOf, digestOf, subjectOptions } from './subject.ts';

export const verify = command({
  name: 'verify',
  positionals: { envelope: required('File that tck attest wrote') },
  options: {
    key: { ...text('PEM file of the public key'), required: true },
    report: text('Also check that the statement is about this report.json, or the one in this folder'),
    ...subjectOptions,
  },
  exits: { 0: 'the statement is authentic, whatever its result', 1: 'a check failed', 2: 'wrong usage' },
  examples: [
    ['tck verify result.json --key key.pub', 'Check the signature, and show the result'],
    ['tck verify result.json --key key.pub --commit "$GIT_COMMIT" --report tck-report', 'Also check what was tested'],
  ],

  /** Checks a signed statement. Returns 1 if a check fails. */
  async run(given, { cwd, stdout }) {
    if (given.key === undefined) throw new UsageError('--key: expected the file of a public key');
    const [sha256, gitCommit] = [digestOf(given.subjectDigest), commitOf(given.commit)];
    const key = await publicKeyIn(resolve(cwd, given.key));
    const envelope = read(envelopeSchema, await textOf(resolve(cwd, given.envelope)));
    if (typeof envelope === 'string') throw new UsageError(`${given.envelope} is not a DSSE envelope: ${envelope}`);
    const report = given.report === undefined ? undefined : await loadWithDigest(resolve(cwd, given.report));

    const fail = (why: string) => {
      stdout.write(`Not verified: ${why}\n`);
      return exitCodes.failed;
    };
    // Nothing of the payload is read before its signature is valid.
    if (!isSignedBy(envelope, key)) return fail(`the signature was not made with the key in ${given.key}`);
    if (envelope.payloadType !== statementType) return fail(`the payload type is '${plain(envelope.payloadType)}'`);
    const statement = read(statementSchema, envelope.payload.toString('utf8'));
    if (typeof statement === 'string') return fail(`the payload is not a statement of tck attest: ${statement}`);
    const { subject, predicate } = statement;
    if (sha256 !== undefined && !subject.some(({ digest }) => digest.sha256 === sha256)) {
      return fail('the statement is about another --subject-digest');
    }
    if (gitCommit !== undefined && !subject.some(({ digest }) => digest.gitCommit === gitCommit)) {
      return fail('the statement is about another --commit');
    }
    if (report !== undefined && report.sha256 !== predicate.contentWorkspaceTck.report.digest.sha256) {
      return fail('the statement is about another report');
    }
    stdout.write(summaryOf(statement));
    return exitCodes.ok;
  },
});

async function textOf(path: string): Promise<string> {
  return readText(path, 16 * megabyte).catch((error: unknown) => {
    throw new UsageError(`Cannot read the envelope: '${path}' ${whyNotRead(error)}`);
  });
}

/** The value of a JSON text, or the first problem: `predicate.result: expected PASSED, WARNED or FAILED`. */
function read<Value>(schema: z.ZodType<Value>, json: string): Value | string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return 'expected JSON';
  }
  const { data, error } = schema.safeParse(value);
  const issue = error?.issues[0];
  if (issue === undefined) return data as Value; // without an error, there is data
  return `${issue.path.length === 0 ? '' : `${issue.path.join('.')}: `}expected ${issue.message}`;
}

function summaryOf({ subject, predicate }: Statement): string {
  const { passedTests, warnedTests, failedTests, contentWorkspaceTck } = predicate;
  const { verdict, startedAt, notTested } = contentWorkspaceTck;
  const subjects = subject.flatMap(({ name, digest }) => {
    return Object.entries(digest).map(([kind, value]) => `Subject: ${plain(name)}, ${plain(kind)} ${plain(value)}`);
  });
  return [
    'Verified: the signature is valid.',
    ...subjects,
    `Result: ${predicate.result} (${plain(verdict)}), run of ${plain(startedAt)}`,
    `Requirements: ${passedTests.length} passed, ${failedTests.length} failed, ${notTested.length} not tested`,
    `Advice: ${counted(warnedTests.length, 'recommendation')} not followed`,
    '',
  ].join('\n');
}
