import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import { createStub, type Stub } from '../../stub/index.ts';
import { writeConfiguration } from '../../stub/serve/configuration.ts';
import { haproxyPath, nginxPath, startHaproxy, startNginx } from '../../test/intermediaries.ts';
import { type Listener, privateAuthority } from '../../test/network.ts';
import { idsWith } from '../../test/output.ts';
import { overHttp } from '../../test/stub-target.ts';
import { tckProcess } from '../../test/tck.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { expectHonest } from '../../test/variant-run.ts';
import type { RunResult } from '../result.ts';
import { audit } from './audit.ts';

for (const [name, path] of Object.entries({ nginx: nginxPath, HAProxy: haproxyPath })) {
  if (path === undefined) console.warn(`No ${name}: its tests are skipped (apt-get install nginx-light haproxy).`);
}

const timeout = 180_000;

const folder = temporaryFolder();
let stub: Stub;
let port: number;
beforeAll(async () => {
  stub = createStub({ control: true });
  port = (await stub.listen()).port;
});
afterAll(async () => {
  await stub.close();
});

const run = ({ port }: Listener, deployment = stub): Promise<RunResult> =>
  audit(overHttp(deployment, `http://127.0.0.1:${port}`), { seed: 1, observe: true });

const refusals = ({ observations }: RunResult): unknown =>
  observations.find(({ id }) => id === 'paths.refused-on-the-way')?.values;

/** Response of the stub to a name whose bytes are no text, which passes through. */
const unknownName = `HTTP 404 ${boundaryCodes.noSuchTool}`;

describe.skipIf(nginxPath === undefined)('behind nginx (needs nginx)', () => {
  test('in its default configuration, nothing fails', { timeout }, async () => {
    await using nginx = await startNginx([port]);
    const result = await run(nginx);
    expectHonest(result, []);
    expect(refusals(result)).toEqual(['HTTP 400', unknownName]);
  });

  test('that compresses, nothing fails', { timeout }, async () => {
    const http = 'gzip on; gzip_min_length 1; gzip_proxied any; gzip_types application/json;';
    await using nginx = await startNginx([port], { http });
    expectHonest(await run(nginx), []);
  });

  test('with TLS and HTTP/2 towards the client, nothing fails', { timeout }, async () => {
    const { authority, certificate, key } = await privateAuthority();
    const files = { 'certificate.pem': certificate, 'key.pem': key };
    const [log, trusted] = [join(folder, 'protocols.log'), join(folder, 'authority.pem')];
    await writeFile(trusted, authority);
    const http = "log_format protocol '$server_protocol';";
    const server = `ssl_certificate certificate.pem; ssl_certificate_key key.pem; access_log ${log} protocol;`;
    await using nginx = await startNginx([port], { listen: 'ssl http2', http, server, files });
    const [config, out] = [join(folder, 'tck.config.json'), join(folder, 'report')];
    await writeConfiguration(config, stub, `https://localhost:${nginx.port}`);
    const args = ['run', '--config', config, '--out', out, '--seed', '1'];
    const ended = await tckProcess(args, { env: { NODE_EXTRA_CA_CERTS: trusted } });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const result: RunResult = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
    expectHonest(result, []);
    expect(new Set((await readFile(log, 'utf8')).trim().split('\n'))).toEqual(new Set(['HTTP/2.0']));
  });

  test('with two upstream processes, nothing fails', { timeout }, async () => {
    const served = (by: string) => ({ server: `add_header x-served-by ${by} always;` });
    await using one = await startNginx([port], served('one'));
    await using other = await startNginx([port], served('other'));
    await using nginx = await startNginx([one.port, other.port]);
    expectHonest(await run(nginx), []);
  });

  test('that returns its own 404 for an ordinary request, this is a finding', { timeout }, async () => {
    const server = 'location = /api/v1/tools/schedule.reads { return 404; }';
    await using nginx = await startNginx([port], { server });
    const result = await run(nginx);
    expect(idsWith(result, 'failed')).toEqual([
      'envelopes.boundary-error',
      'envelopes.json-4xx',
      'headers.beta-on-404',
      'unknown-tools.uniform-body',
    ]);
  });
});

describe.skipIf(haproxyPath === undefined)('behind HAProxy (needs HAProxy)', () => {
  test('nothing fails', { timeout }, async () => {
    await using haproxy = await startHaproxy(port);
    expectHonest(await run(haproxy), []);
  });

  test.each([
    ['closes the connection of', 'http-request reject', 'no response'],
    ['returns its own 502 for', 'http-request deny deny_status 502', 'HTTP 502'],
  ])('that %s names with a NUL, nothing fails', { timeout }, async (_what, directive, refusal) => {
    await using haproxy = await startHaproxy(port, `${directive} if { path_sub %00 }`);
    const result = await run(haproxy);
    expectHonest(result, []);
    expect(refusals(result)).toEqual([unknownName, refusal]);
  });
});
