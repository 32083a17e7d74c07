import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TlsReferences } from '../../fixtures/target-config.ts';
import type { ClientTls } from '../target.ts';
import { UsageError } from '../usage/usage-error.ts';
import { resolveSecret, type SecretSources } from './secret.ts';

const members = ['cert', 'key', 'ca'] as const;

/** Returns the certificates that a configuration references. Throws a UsageError that names the wrong field. */
export async function resolveTls(references: TlsReferences, sources: SecretSources): Promise<ClientTls | undefined> {
  const given = members.flatMap((name) => (references[name] === undefined ? [] : [[name, references[name]] as const]));
  // Without the output of the commands, the kit sends nothing.
  if (!sources.runsCommands && given.some(([, { command }]) => command !== undefined)) return undefined;
  const tls: ClientTls = {};
  for (const [name, reference] of given) tls[name] = await resolveSecret(reference, `tls.${name}`, sources);
  assertTls(tls);
  return tls;
}

/** Throws a UsageError unless connections can use the certificates. Messages never contain the key. */
export function assertTls({ cert, key, ca }: ClientTls): void {
  if (cert !== undefined && key === undefined) throw new UsageError('tls.key: expected the key of tls.cert, got none');
  if (key !== undefined && cert === undefined)
    throw new UsageError('tls.cert: expected the certificate of tls.key, got none');
  const read = <Value>(field: string, what: string, make: () => Value): Value => {
    try {
      return make();
    } catch {
      throw new UsageError(`${field}: expected ${what} in PEM, got something else`);
    }
  };
  if (ca !== undefined) read('tls.ca', 'certificates', () => new X509Certificate(ca));
  if (cert === undefined || key === undefined) return;
  const certificate = read('tls.cert', 'a certificate', () => new X509Certificate(cert));
  const privateKey = read('tls.key', 'a private key without a passphrase', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UsageError('tls.key: expected the key of tls.cert, got the key of another certificate');
  }
}
