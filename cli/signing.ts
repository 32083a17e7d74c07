import { spawn } from 'node:child_process';
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { howItEnded } from '../suites/usage/program.ts';
import { kilobyte, readText, whyNotRead } from '../suites/usage/read-file.ts';
import { UsageError } from '../suites/usage/usage-error.ts';

/** Far more than a key in PEM. */
const mostOfKey = 64 * kilobyte;

/** Patience with a command that signs. A person may have to confirm. */
const timeoutMs = 120_000;

/** Signs with an Ed25519 private key in a PEM file. Messages never contain the key. */
export async function signWithKey(bytes: Uint8Array, path: string): Promise<Buffer> {
  const key = await keyIn(path, 'private', createPrivateKey);
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new UsageError(`--key: expected an Ed25519 private key, got '${key.asymmetricKeyType}' in ${path}`);
  }
  return sign(null, bytes, key);
}

/**
 * Signs with a command of the user, such as one of a key management service. A shell starts it, because these commands
 * often need a pipe. It reads the bytes from standard input, and prints the signature in Base64.
 */
export async function signWithCommand(bytes: Uint8Array, command: string, cwd: string): Promise<Buffer> {
  const child = spawn(command, { shell: true, cwd, stdio: ['pipe', 'pipe', 'inherit'], timeout: timeoutMs });
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(`cannot be started (${error.message})`));
    child.on('close', (code, killedBy) => resolve(code === 0 ? undefined : howItEnded(code, killedBy)));
  });
  // A command that reads nothing closes the pipe. Its exit code and its output decide.
  child.stdin.on('error', () => undefined);
  child.stdin.end(bytes);
  const [output, problem] = await Promise.all([buffer(child.stdout), ended]);
  if (problem !== undefined) throw new UsageError(`--sign-command: expected a signature, but the command ${problem}`);
  const text = output.toString('utf8').replaceAll(/\s/g, '');
  if (!/^[\w+/-]{32,}={0,2}$/.test(text)) {
    throw new UsageError(
      '--sign-command: expected the command to print a signature in Base64, but it printed other text',
    );
  }
  return Buffer.from(text, 'base64');
}

/** Public key of a PEM file, to verify signatures. */
export async function publicKeyIn(path: string): Promise<KeyObject> {
  const key = await keyIn(path, 'public', createPublicKey);
  if (['ed25519', 'ec', 'rsa'].includes(key.asymmetricKeyType ?? '')) return key;
  throw new UsageError(`--key: expected an Ed25519, EC or RSA public key, got '${key.asymmetricKeyType}' in ${path}`);
}

async function keyIn(path: string, kind: string, read: (pem: string) => KeyObject): Promise<KeyObject> {
  const pem = await readText(path, mostOfKey).catch((error: unknown) => {
    throw new UsageError(`--key: expected a file that can be read, but '${path}' ${whyNotRead(error)}`);
  });
  try {
    return read(pem);
  } catch {
    throw new UsageError(`--key: expected a ${kind} key in PEM without a passphrase, got something else in ${path}`);
  }
}
