import { resolve } from 'node:path';
import { envelopeText, preAuthEncoding, statementType } from '../reports/attestation/dsse.ts';
import { statementOf, type Tested } from '../reports/attestation/statement.ts';
import { loadWithDigest } from '../reports/load.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { whyNotWritten, writeWhole } from '../suites/usage/files.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import { required } from './command-line/declaration.ts';
import { alias, text } from './command-line/option.ts';
import { signWithCommand, signWithKey } from './signing.ts';
import { commitOf, digestOf, isCommit, subjectOptions } from './subject.ts';

export const attest = command({
  name: 'attest',
  positionals: { report: required('A report.json, or the folder that contains it') },
  options: {
    key: text('PEM file of the Ed25519 private key that signs'),
    'sign-command': text('Shell command to sign with instead: reads the bytes, prints the signature in Base64'),
    ...subjectOptions,
    out: alias('o', text('Write the envelope to this file (default: print it)')),
  },
  examples: [
    ['tck attest tck-report --key key.pem --subject-digest sha256:… -o result.json', 'Sign the result for an image'],
    ['tck attest tck-report --sign-command ./kms-sign --commit "$GIT_COMMIT"', 'Sign with a key management service'],
  ],

  /** Writes a signed statement about a report. */
  async run({ report: place, key, signCommand, subjectDigest, commit, out }, { cwd, stdout }) {
    if ((key === undefined) === (signCommand === undefined)) {
      throw new UsageError(
        `--key: expected either --key or --sign-command, got ${key === undefined ? 'none' : 'both'}`,
      );
    }
    const { report, sha256 } = await loadWithDigest(resolve(cwd, place));
    const { label } = report.target;
    const tested: Tested = {
      sha256: digestOf(subjectDigest),
      // Pipelines often pass the commit as the label of the run.
      gitCommit: commitOf(commit) ?? (label !== undefined && isCommit(label) ? label : undefined),
    };
    if (tested.sha256 === undefined && tested.gitCommit === undefined) {
      throw new UsageError(
        '--commit: expected --commit or --subject-digest, because a statement names what was tested',
      );
    }
    const payload = Buffer.from(JSON.stringify(statementOf(report, sha256, tested)));
    const bytes = preAuthEncoding(statementType, payload);
    const signature =
      key === undefined
        ? await signWithCommand(bytes, signCommand ?? '', cwd)
        : await signWithKey(bytes, resolve(cwd, key));
    const envelope = envelopeText(payload, signature);
    if (out === undefined) stdout.write(envelope);
    else await write(resolve(cwd, out), envelope);
    return exitCodes.ok;
  },
});

async function write(path: string, envelope: string): Promise<void> {
  await writeWhole(path, envelope).catch((error: unknown) => {
    throw new UsageError(`--out: cannot write ${path}: ${whyNotWritten(error)}`);
  });
}
