import { z } from 'zod';
import type { RequirementResult, RunResult, Status } from '../../suites/result.ts';
import { plain } from '../plain.ts';

const statement = 'https://in-toto.io/Statement/v1';
const testResult = 'https://in-toto.io/attestation/test-result/v0.1';

/** Digests of the tested software. At least one is required. */
export interface Tested {
  /** Hexadecimal SHA-256 digest, such as that of a container image. */
  sha256?: string | undefined;
  gitCommit?: string | undefined;
}

/**
 * An in-toto statement (v1) with the predicate test-result (v0.1). The member `contentWorkspaceTck` extends the
 * predicate. `reportSha256` is the digest of `report.json`.
 */
export function statementOf(result: RunResult, reportSha256: string, tested: Tested) {
  const { kit, document, target, seed, shard } = result;
  const named = (...statuses: Status[]) => result.requirements.filter(({ status }) => statuses.includes(status));
  const ids = (requirements: readonly RequirementResult[]) => requirements.map(({ id }) => plain(id));
  const settings = { target, seed, ...(shard === undefined ? {} : { shard }) };
  return {
    _type: statement,
    subject: subjectsOf(result, tested),
    predicateType: testResult,
    predicate: {
      result: outcomeOf(result),
      configuration: [
        { name: 'kit', uri: `pkg:npm/${plain(kit.name)}@${plain(kit.version)}` },
        {
          name: 'specification',
          digest: { sha256: document.contractSha256 },
          annotations: { version: plain(document.version) },
        },
        {
          name: 'settings',
          mediaType: 'application/json',
          content: Buffer.from(JSON.stringify(settings)).toString('base64'),
        },
      ],
      passedTests: ids(named('passed')),
      warnedTests: ids(named('warned')),
      failedTests: ids(named('failed', 'known-failure')),
      contentWorkspaceTck: {
        report: { name: 'report.json', digest: { sha256: reportSha256 } },
        runId: plain(result.runId),
        startedAt: result.startedAt,
        durationMs: result.durationMs,
        verdict: result.verdict,
        complete: result.complete,
        gate: { passed: result.gate.passed, reasons: result.gate.reasons.map((reason) => plain(reason)) },
        counts: result.summary,
        notTested: named('not-tested', 'errored').map(({ id, status, reason = '' }) => {
          return { name: plain(id), status, reason: plain(reason) };
        }),
        outsideReach: result.outsideReach.map(({ id, reason }) => ({ name: plain(id), reason: plain(reason) })),
      },
    },
  };
}

/** An artifact has one digest for each algorithm, so an image and a commit are two subjects. */
function subjectsOf({ target }: RunResult, { sha256, gitCommit }: Tested) {
  // A container has another port on each machine.
  const name = plain(
    target.kind === 'image' || target.kind === 'client' ? (target.label ?? target.kind) : target.baseUrl,
  );
  return [
    ...(sha256 === undefined ? [] : [{ name, digest: { sha256 } }]),
    ...(gitCommit === undefined ? [] : [{ name, digest: { gitCommit } }]),
  ];
}

/** `PASSED` only for a complete result without advice, as reports are green. An inconclusive run proves nothing. */
function outcomeOf({ verdict, complete, summary }: RunResult): 'PASSED' | 'WARNED' | 'FAILED' {
  if (verdict !== 'conformant') return 'FAILED';
  return complete && summary.warned === 0 ? 'PASSED' : 'WARNED';
}

const text = z.string('a text');
const digest = z.record(text, text, 'an object of digests');
const names = z.array(text, 'an array of names');
const reasons = z.array(z.object({ name: text, reason: text }), 'an array of names with reasons');

/** The parts of a statement that `tck verify` checks. */
export const statementSchema = z.object(
  {
    _type: z.literal(statement, `the text ${statement}`),
    subject: z.array(z.object({ name: text, digest }), 'an array of subjects').min(1, 'at least one subject'),
    predicateType: z.literal(testResult, `the text ${testResult}`),
    predicate: z.object(
      {
        result: z.enum(['PASSED', 'WARNED', 'FAILED'], 'PASSED, WARNED or FAILED'),
        passedTests: names,
        warnedTests: names,
        failedTests: names,
        contentWorkspaceTck: z.object(
          {
            report: z.object({ digest: z.object({ sha256: text }) }, 'an object with "digest"'),
            startedAt: text,
            verdict: text,
            notTested: reasons,
          },
          'an object, as tck attest writes it',
        ),
      },
      'an object',
    ),
  },
  'an object',
);

export type Statement = z.infer<typeof statementSchema>;
