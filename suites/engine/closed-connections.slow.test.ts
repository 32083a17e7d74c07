import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { httpServer, passedTo } from '../../test/network.ts';
import { idsWith } from '../../test/output.ts';
import { overHttp } from '../../test/stub-target.ts';
import { audit } from './audit.ts';

/** Runs the kit against a stub that closes the connections of some requests, by their path and number. */
async function runClosing(isClosed: (path: string, nth: number) => boolean) {
  const stub = createStub();
  const pass = passedTo(stub);
  let nth = 0;
  await using server = await httpServer((request, response) => {
    nth += 1;
    if (isClosed(request.url ?? '', nth)) request.socket.destroy();
    else pass(request, response);
  });
  return await audit(overHttp(stub, `http://127.0.0.1:${server.port}`, { allow: [] }), { seed: 1 });
}

test('a tool that closes each connection fails one requirement, and errors none', async () => {
  const result = await runClosing((path) => path.endsWith('/knowledge.search'));
  expect(idsWith(result, 'failed', 'errored')).toEqual(['envelopes.answers-every-request']);
  expect(result.verdict).toBe('non-conformant');
  const failed = result.requirements.find(({ status }) => status === 'failed');
  const shown = result.exchanges.filter(({ id }) => failed?.findings[0]?.exchanges.includes(id));
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
  expect(idsWith(result, 'failed')).toEqual([]);
});
