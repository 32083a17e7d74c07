import { request as forward } from 'node:http';
import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { httpServer } from '../../test/network.ts';
import { overHttp } from '../../test/stub-target.ts';
import { audit } from './audit.ts';

/** Runs the kit against a stub that closes the connections of some requests, by their path and number. */
async function runClosing(isClosed: (path: string, nth: number) => boolean) {
  const stub = createStub();
  const { baseUrl } = await stub.listen({ port: 0 });
  let nth = 0;
  await using server = await httpServer((request, response) => {
    const { method, headers, url = '' } = request;
    nth += 1;
    if (isClosed(url, nth)) {
      request.socket.destroy();
      return;
    }
    const onward = forward(`${baseUrl}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  try {
    return await audit(overHttp(stub, `http://127.0.0.1:${server.port}`, { allow: [] }), { seed: 1 });
  } finally {
    await stub.close();
  }
}

test('a tool that closes each connection fails one requirement, and errors none', async () => {
  const result = await runClosing((path) => path.endsWith('/knowledge.search'));
  const failed = result.requirements.filter(({ status }) => status === 'failed');
  expect(failed.map(({ id }) => id)).toEqual(['envelopes.answers-every-request']);
  expect(result.requirements.filter(({ status }) => status === 'errored').map(({ id }) => id)).toEqual([]);
  expect(result.verdict).toBe('non-conformant');
  const shown = result.exchanges.filter(({ id }) => failed[0]?.findings[0]?.exchanges.includes(id));
  expect(shown[0]).toMatchObject({ tool: 'knowledge.search', response: null, problem: expect.any(String) });
  expect(shown[0]?.curl).toContain('knowledge.search');
});

test('connections closed now and then, of one tool after another, are no finding', async () => {
  let last = '';
  const result = await runClosing((path, nth) => {
    const isClosed = nth > 20 && nth % 7 === 0 && path !== last;
    if (isClosed) last = path;
    return isClosed;
  });
  expect(result.requirements.filter(({ status }) => status === 'failed')).toEqual([]);
});
