import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { audit } from './audit.ts';

type Failing = (request: StubRequest, response: StubResponse) => boolean;

const bodyOf = ({ body }: StubRequest) => (body === null ? '' : Buffer.from(body).toString());
const status =
  (wanted: number): Failing =>
  (_, response) =>
    response.status === wanted;
const tool =
  (name: string): Failing =>
  (request) =>
    request.path.includes(name);
const says =
  (text: string): Failing =>
  (_, response) =>
    response.body.includes(text);

/** Requests and responses for which a broken server returns a 500. */
const failing: Readonly<Record<string, Failing>> = {
  'the body null': (request) => bodyOf(request) === 'null',
  'an omitted body': (request) => bodyOf(request) === '',
  'bodies that are no object': status(400),
  'invalid credentials': status(401),
  'a closed surface': status(403),
  'unknown tools': status(404),
  'a rate limit': status(429),
  refusals: says('"ok":false'),
  'invalid arguments': says('invalid_arguments'),
  'ambiguous workspaces': says('workspace_ambiguous'),
  'invalid confirmations': says('confirmation_invalid'),
  dispatches: says('"dispatched"'),
  'images.generate': tool('images.generate'),
  'content.create_request': tool('content.create_request'),
  'the library': tool('library.'),
  'credits.balance': tool('credits.balance'),
};

async function runAt(fails: Failing) {
  await using stub = createStub({ seed: 1, rateLimit: 3000 });
  const broken = { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Internal error</h1>' };
  const dispatcher = createDispatcher((request) => {
    const response = stub.handle(request);
    return fails(request, response) ? broken : response;
  });
  let exchanges: readonly Exchange[] = [];
  const result = await audit(inProcess(stub, { dispatcher }), {
    seed: 1,
    observe: false,
    timer: skippingTimer(stub.advance),
    onHistory: (history) => {
      exchanges = history.exchanges;
    },
  });
  return { result, exchanges };
}

test.each(Object.entries(failing))(
  'with a 500 for %s, every reason that names a response is true of the history',
  async (_, fails) => {
    const { result, exchanges } = await runAt(fails);
    const untested = result.requirements.filter(({ status }) => status === 'not-tested');
    expect(untested.length).toBeGreaterThan(0);
    const passed = new Set(result.requirements.filter(({ status }) => status === 'passed').map(({ id }) => id));
    const dispatched = exchanges.some(({ response }) => response?.text.includes('"dispatched"'));
    for (const { id, reason = '', precondition, exchanges: shown } of untested) {
      expect(reason, id).toMatch(/\w/);
      // A race can dispatch one image although no response reports the dispatch.
      if (precondition === 'race.one-dispatches' && !dispatched) continue;
      if (precondition !== undefined) expect(passed, `${id}: ${reason}`).not.toContain(precondition);
      const [, tool, status] = /(\S+) returned (\d+)$/.exec(reason) ?? [];
      if (tool === undefined) continue;
      const isSo = ({ request, response }: Exchange) =>
        (request.tool ?? 'another path') === tool && response?.status === Number(status);
      expect(exchanges.some(isSo), `${id}: ${reason}`).toBe(true);
      if (!reason.startsWith('no proposal')) expect(shown, id).toHaveLength(1);
    }
  },
);

test('the reason is the response to the request that tests the requirement', async () => {
  const { result } = await runAt((request) => bodyOf(request) === 'null');
  const untested = result.requirements.find(({ id }) => id === 'bodies.json-null');
  expect(untested?.reason).toBe('schedule.read returned 500');
  const [shownBy] = untested?.exchanges ?? [];
  expect(result.exchanges.find(({ id }) => id === shownBy)?.request.body).toBe('null');
});
