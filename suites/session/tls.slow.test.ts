import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { connectProxy, passedTo } from '../../test/network.ts';
import { tckProcess } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const stub = createStub();
const folder = temporaryFolder();
let server: Server;
let url: string;
/** Common names of the client certificates that the server got. */
const clients = new Set<string>();

/** Creates the key and the certificate `name`, signed by `authority` or by itself. */
function certificate(name: string, authority?: string): void {
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const signed = authority === undefined ? [] : ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
  const args = ['req', '-x509', '-days', '2', ...key, '-out', `${name}.pem`, ...names, ...signed];
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
}

beforeAll(async () => {
  certificate('authority');
  certificate('server', 'authority');
  certificate('client', 'authority');
  const [cert, key, ca] = await Promise.all(
    ['server.pem', 'server.key', 'authority.pem'].map((name) => readFile(join(folder, name))),
  );
  const pass = passedTo(stub);
  server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    const { socket } = request;
    if ('getPeerCertificate' in socket && typeof socket.getPeerCertificate === 'function') {
      clients.add(socket.getPeerCertificate().subject.CN);
    }
    pass(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `https://localhost:${(server.address() as AddressInfo).port}`; // a TCP server has no other kind of address
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function run(tls: unknown, env: Record<string, string> = {}) {
  clients.clear();
  const config = { baseUrl: url, keys: { primary: { env: 'TCK_KEY_PRIMARY' } }, tls };
  await writeFile(join(folder, 'tck.config.json'), JSON.stringify(config));
  const args = ['run', '--config', 'tck.config.json', '--only', 'credits,schedule', '--out', 'report'];
  return await tckProcess(args, { cwd: folder, env: { TCK_KEY_PRIMARY: stub.keys.primary, ...env } });
}

const files = { cert: { file: 'client.pem' }, key: { file: 'client.key' }, ca: { file: 'authority.pem' } };

test('the kit identifies itself with a client certificate from files or commands', async () => {
  const byFiles = await run(files);
  expect(byFiles.code, byFiles.stdout).toBe(0);
  expect([...clients]).toEqual(['client']);
  const byCommand = await run({ ...files, key: { command: ['cat', 'client.key'] } });
  expect(byCommand.code, byCommand.stdout).toBe(0);
  expect(byCommand.stderr).toContain('tls.key: cat client.key');
  expect(`${byCommand.stdout}${byCommand.stderr}`).not.toContain('PRIVATE KEY');
  expect(await readFile(join(folder, 'report', 'report.json'), 'utf8')).not.toContain('PRIVATE KEY');
});

test('also through a proxy', async () => {
  await using proxy = await connectProxy();
  const { code, stdout } = await run(files, { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '' });
  expect(code, stdout).toBe(0);
  expect(proxy.asked).not.toEqual([]);
  expect([...clients]).toEqual(['client']);
});

test('without a certificate, the server refuses the connection', async () => {
  const { code } = await run({ ca: files.ca });
  expect(code).toBe(3);
  expect([...clients]).toEqual([]);
});

test.each<[unknown, string]>([
  [{ cert: files.cert }, 'tls.key: expected the key of tls.cert, got none'],
  [{ key: files.key }, 'tls.cert: expected the certificate of tls.key, got none'],
  [
    { ...files, key: { file: 'server.key' } },
    'tls.key: expected the key of tls.cert, got the key of another certificate',
  ],
  [{ ...files, cert: { file: 'client.key' } }, 'tls.cert: expected a certificate in PEM, got something else'],
  [{ ...files, key: { file: 'client.pem' } }, 'tls.key: expected a private key without a passphrase in PEM'],
  [{ ca: { file: 'client.key' } }, 'tls.ca: expected certificates in PEM, got something else'],
  [{ ca: { file: 'none.pem' } }, "tls.ca.file: expected a file that can be read, but 'none.pem' does not exist"],
  [{ pfx: files.cert }, 'tls.pfx: unknown field (known: cert, key, ca)'],
  [{ key: '-----BEGIN PRIVATE KEY-----' }, 'tls.key: expected an object such as'],
])('%j is a wrong configuration', async (tls, message) => {
  const { code, stderr } = await run(tls);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('PRIVATE KEY');
});
