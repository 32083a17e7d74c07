import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { promisify } from 'node:util';
import { megabyte, readText, whyNotRead } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { flag, text } from './command-line/option.ts';

/** Options of the commands that listen: `tck stub` and `tck proxy`. */
export const listening = {
  host: text('Listen on this address', '127.0.0.1'),
  'allow-remote': flag('Allow a --host that other machines can reach'),
};

/** Throws a UsageError for a host that other machines can reach: they could use the keys of the stub or proxy. */
export function requireLoopback(host: string): void {
  if (host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)) return;
  throw new UsageError(`--host: other machines reach ${host}; add --allow-remote to accept that`);
}

export interface Certificate extends AsyncDisposable {
  readonly cert: string;
  readonly key: string;
  /** Certificate file that clients must trust. */
  readonly file: string;
}

interface TlsOptions {
  readonly tls?: boolean | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
}

/**
 * Returns the certificate for TLS, or undefined for plain HTTP. Rejects with a UsageError if there is no usable
 * certificate.
 */
export async function certificateOf(
  { tls = false, tlsCert, tlsKey }: TlsOptions,
  host: string,
): Promise<Certificate | undefined> {
  if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate(tlsCert, tlsKey);
  if (tlsCert !== tlsKey) throw new UsageError('--tls-cert and --tls-key go together');
  return tls ? makeCertificate(host) : undefined;
}

/** Reads a certificate and its key. Rejects with a UsageError if a file cannot be read, or is something else. */
async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const read = (option: string, file: string): Promise<string> =>
    readText(file, megabyte).catch((error: unknown) => {
      throw new UsageError(`${option}: cannot read ${file}: it ${whyNotRead(error)}`);
    });
  // Sequential, so that the error names the same file each time if both are missing.
  const cert = await read('--tls-cert', certFile);
  const key = await read('--tls-key', keyFile);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const why = error instanceof Error && 'reason' in error ? error.reason : error;
    throw new UsageError(`--tls-cert: expected a certificate and its key in PEM: ${why}`);
  }
  return { cert, key, file: certFile, [Symbol.asyncDispose]: async () => undefined };
}

const days = '7';

/**
 * Creates a certificate for this machine with `openssl`, in a temporary folder that is removed on disposal. Rejects
 * with a UsageError if `openssl` fails.
 */
async function makeCertificate(host: string): Promise<Certificate> {
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

/** Returns the environment variables that make a command trust the certificate. Node.js reads NODE_EXTRA_CA_CERTS. */
export function trustIn(certificate: Certificate | undefined): Record<string, string> {
  return certificate === undefined ? {} : { TCK_CA_FILE: certificate.file, NODE_EXTRA_CA_CERTS: certificate.file };
}

/** Returns a UsageError that explains why a server cannot listen. */
export function cannotListen(error: unknown, port: number, host: string): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (/^ERR_(?:OSSL|TLS)/.test(code)) return new UsageError(`--tls-cert: ${message}`);
  return new UsageError(`cannot listen on ${host}, port ${port}: ${message}`);
}
