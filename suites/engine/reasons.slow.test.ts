import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess } from '../../test/stub-target.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RequirementResult, RunResult } from '../result.ts';
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

interface Shown {
  result: RunResult;
  exchanges: readonly Exchange[];
}

async function runAt(fails: Failing): Promise<Shown> {
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

const isCreation = ({ request }: Exchange) => request.tool === 'content.create_request';
const hasStatus = (exchanges: readonly Exchange[], name: string, code: number) =>
  exchanges.some(({ request, response }) => (request.tool ?? 'another path') === name && response?.status === code);

/** Checks the claim of each reason against the history. `parts` holds the groups of the pattern. */
const claims: readonly [RegExp, (shown: Shown, parts: string[], of: RequirementResult) => boolean][] = [
  [
    /^(?:no response shows whether the requirement holds: )?(\S+) returned (\d+)$/,
    ({ exchanges }, [name = '', code], of) => hasStatus(exchanges, name, Number(code)) && of.exchanges?.length === 1,
  ],
  [
    // Rules on charges compare balances, and no response has one.
    /^no response shows whether the requirement holds$/,
    ({ exchanges }) => !exchanges.some(({ response }) => response?.text.includes('"balance"')),
  ],
  [
    /^precondition not met, see (\S+)$/,
    ({ result, exchanges }, [id]) =>
      result.requirements.some((one) => one.id === id && one.status !== 'passed') ||
      // A race can dispatch one image although no response reports the dispatch.
      (id === 'race.one-dispatches' && !exchanges.some(({ response }) => response?.text.includes('"dispatched"'))),
  ],
  [/^maxImages is (\d+), and/, ({ result }, [most]) => result.summary.imagesWorstCase > Number(most) - 4],
  [
    /^the run may have created (\d+) content requests/,
    ({ exchanges }, [most]) => exchanges.filter(isCreation).length >= Number(most),
  ],
  [
    /\(tried (\d+) combinations? of day and format\)$/,
    ({ exchanges }, [tried]) => {
      return exchanges.filter((one) => isCreation(one) && one.response?.status === 500).length >= Number(tried);
    },
  ],
  [
    /^no proposal was accepted: images\.generate returned (\d+)$/,
    ({ exchanges }, [code]) => hasStatus(exchanges, 'images.generate', Number(code)),
  ],
  [
    /^the confirmation was not dispatched, see (\S+)$/,
    ({ result }, [id]) => result.requirements.some((one) => one.id === id && one.status !== 'passed'),
  ],
  [
    /^(?:an unknown item was not refused|no refusal of an unreachable workspace lists workspaces)$/,
    ({ exchanges }) => !exchanges.some(({ response }) => response?.text.includes('"ok":false')),
  ],
  [
    /^no refusal of a request without a workspace lists workspaces$/,
    ({ exchanges }) =>
      !exchanges.some(({ request, response }) => {
        return request.args?.workspace === undefined && response?.text.includes('"workspaces"');
      }),
  ],
  [
    /^the library does not show a library item$/,
    ({ exchanges }) =>
      exchanges.every(({ request, response }) => {
        return request.tool !== 'library.search' || response?.text.includes('"items":[{') !== true;
      }),
  ],
  [
    /^the service did not refuse with (\S+), a rule of its own$/,
    ({ exchanges }, [code]) => !exchanges.some(({ response }) => response?.text.includes(`"${code}"`)),
  ],
  [
    /^(\d+) requests did not reach the rate limit$|^the server does not serve the key 'throttled'/,
    ({ exchanges }) =>
      exchanges.every(({ sender, response }) => {
        return sender.role !== 'throttled' || response?.status !== 429;
      }),
  ],
];

function isTrue(shown: Shown, requirement: RequirementResult): boolean {
  const reason = requirement.reason ?? '';
  const claim = claims.find(([form]) => form.test(reason));
  return claim?.[1](shown, form(claim[0], reason), requirement) ?? false;
}

const form = (pattern: RegExp, reason: string) => pattern.exec(reason)?.slice(1) ?? [];

test.each(Object.keys(failing))('with a 500 for %s, every reason is true of the history', async (name) => {
  const shown = await runAt(failing[name] ?? (() => false));
  const untested = shown.result.requirements.filter(({ status }) => status === 'not-tested');
  expect(untested.length).toBeGreaterThan(0);
  const untrue = untested.filter((requirement) => !isTrue(shown, requirement));
  expect(untrue.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});

test('the reason is the response to the request that tests the requirement', async () => {
  const { result } = await runAt((request) => bodyOf(request) === 'null');
  const untested = result.requirements.find(({ id }) => id === 'bodies.json-null');
  expect(untested?.reason).toBe('schedule.read returned 500');
  const [shownBy] = untested?.exchanges ?? [];
  expect(result.exchanges.find(({ id }) => id === shownBy)?.request.body).toBe('null');
});
