import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { megabyte, readText, whyNotRead } from '../../suites/usage/read-file.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';

export interface Certificate extends AsyncDisposable {
  readonly cert: string;
  readonly key: string;
  /** Certificate file that clients must trust. */
  readonly file: string;
}

/** Reads a certificate and its key. Rejects with a UsageError if a file cannot be read. */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const read = (option: string, file: string): Promise<string> =>
    readText(file, megabyte).catch((error: unknown) => {
      throw new UsageError(`${option}: cannot read ${file}: it ${whyNotRead(error)}`);
    });
  // Sequential, so that the error names the same file each time if both are missing.
  const cert = await read('--tls-cert', certFile);
  const key = await read('--tls-key', keyFile);
  return { cert, key, file: certFile, [Symbol.asyncDispose]: async () => undefined };
}

const days = '7';

/**
 * Creates a certificate for this machine with `openssl`, in a temporary folder that is removed on disposal. Rejects
 * with a UsageError if `openssl` fails.
 */
export async function makeCertificate(host: string): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'tck-tls-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const [file, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const own = /^[\d.]+$|:/.test(host) ? `IP:${host}` : `DNS:${host}`;
  const names = [...new Set(['DNS:localhost', 'IP:127.0.0.1', 'IP:::1', own])].join(',');
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', days];
  const subject = ['-subj', '/CN=content-workspace-tck stub', '-addext', `subjectAltName=${names}`];
  try {
    await promisify(execFile)('openssl', [...made, ...subject, '-keyout', keyFile, '-out', file]);
    const [cert, key] = await Promise.all([readFile(file, 'utf8'), readFile(keyFile, 'utf8')]);
    await rm(keyFile);
    return { cert, key, file, [Symbol.asyncDispose]: remove };
  } catch {
    await remove();
    throw new UsageError('--tls: openssl could not make a certificate: install it');
  }
}
