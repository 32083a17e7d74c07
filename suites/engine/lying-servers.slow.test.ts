import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStub, type Stub } from '../../stub/index.ts';
import type { Handle, StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { listen } from '../../stub/transports/http.ts';
import { combineDefects, type DefectId, defects } from '../../test/mutations/defects/index.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { inProcess, overHttp } from '../../test/stub-target.ts';
import { audit } from './audit.ts';

/** False responses to a confirmation that the server dispatched. */
const lies = {
  'over the rate limit': () => told({ error: { code: 'tenant_mcp.rate_limited', message: 'Wait.' } }, 429),
  'an invalid id': () => told({ ok: false, code: 'confirmation_invalid', message: 'No.' }),
  'too few credits': () => told({ ok: false, code: 'insufficient_credits', message: 'No.' }),
  'a code of its own': () => told({ ok: false, code: 'closed', message: 'No.' }),
  'a failure of the server': () => told({}, 500),
  'another proposal': (response) =>
    changed(response, { status: 'confirmation_required', run_id: null, confirmation_id: 'c-0123' }),
  'no image': (response) => changed(response, { count: 0 }),
  'fewer than none': (response) => changed(response, { count: -100 }),
  'more than there are': (response) => changed(response, { count: 1e15 }),
  'a proposal of one image': (response) => changed(response, { status: 'confirmation_required', count: 1 }),
  'no response': (response) => ({ ...response, delivery: { cutAtBytes: -1 } }),
  'half a response': (response) => ({ ...response, delivery: { cutAtBytes: 5 } }),
  'not JSON': (response) => ({ ...response, body: '<html>' }),
} satisfies Record<string, (dispatched: StubResponse) => StubResponse>;

type Lie = keyof typeof lies;

function told(body: object, status = 200): StubResponse {
  const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '1' } : {}) };
  return { status, headers, body: JSON.stringify(body) };
}

function changed(response: StubResponse, change: object): StubResponse {
  return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), ...change }) };
}

/**
 * Handles each request normally, then replaces every `often`th response about a dispatch with the next lie in `ways`.
 */
function lying(handle: Handle, ways: readonly Lie[], often: number): Handle {
  let dispatches = 0;
  return (request) => {
    const response = handle(request);
    if (!response.body.includes('"dispatched"')) return response;
    dispatches += 1;
    const way = ways[dispatches % ways.length];
    return way === undefined || dispatches % often > 0 ? response : lies[way](response);
  };
}

/** Topics that send `images.generate`. The others send no request that a server may take for a confirmation. */
const withImages = [
  'headers',
  'bodies',
  'arguments',
  'workspaces',
  'credits',
  'image-proposals',
  'confirmations',
  'expiry',
  'race',
];

const options = (stub: Stub, seed: number) => ({ seed, only: withImages, timer: skippingTimer(stub.advance) });

const ceiling = fc.constantFrom(1, 2, 4, 8, 12);
const ways = fc.uniqueArray(fc.constantFrom(...(Object.keys(lies) as Lie[])), { minLength: 1, maxLength: 3 });

test('whatever a server says about dispatches, it dispatches at most maxImages', async () => {
  await fc.assert(
    fc.asyncProperty(
      ceiling,
      ways,
      fc.integer({ min: 1, max: 3 }),
      fc.nat(99),
      async (maxImages, ways, often, seed) => {
        await using stub = createStub();
        const dispatcher = createDispatcher(lying(stub.handle, ways, often));
        const { summary } = await audit(inProcess(stub, { maxImages, dispatcher }), options(stub, seed));
        expect(stub.stats.imagesDispatched).toBeLessThanOrEqual(maxImages);
        expect(summary.imagesWorstCase).toBeLessThanOrEqual(maxImages);
        expect(stub.stats.imagesDispatched).toBeLessThanOrEqual(summary.imagesWorstCase);
      },
    ),
    { numRuns: 20, seed: 1 },
  );
}, 300_000);

test('the same holds over HTTP if responses are lost', async () => {
  for (const maxImages of [1, 4]) {
    // The high limit prevents waits for the rate limit, which would end the test.
    await using stub = createStub({ rateLimit: 3000 });
    const { origin, close } = await listen(
      lying(stub.handle, ['no response', 'an invalid id'], 1),
      { port: 0 },
      () => undefined,
    );
    await audit(
      overHttp(stub, origin, {
        maxImages,
        pace: { concurrency: 4, timeoutSeconds: 2, maxWaitSeconds: 1, maxBurst: 40 },
      }),
      { seed: 1 },
    );
    await close();
    expect(stub.stats.imagesDispatched).toBeLessThanOrEqual(maxImages);
    expect(stub.stats.imagesDispatched).toBeGreaterThan(0);
  }
});

/** Lies that are not refusals. */
const louder = ['over the rate limit', 'a failure of the server', 'another proposal', 'no response'] as const;

/** Requirements on IDs that the server must refuse: used, never issued, or merely similar to a valid ID. */
const onRefusedIds = new Set<string>([
  ...['confirmations.used-invalid', 'confirmations.used-stays-invalid', 'confirmations.never-issued-invalid'],
  'image-proposals.near-miss-id-never-confirms',
]);

/** Defects that break them. The detection of all defects counts the images of servers that do not lie. */
const presentations = (Object.keys(defects) as DefectId[]).filter((id) =>
  defects[id].breaks.some((requirement) => onRefusedIds.has(requirement)),
);

test.each(presentations)('with %s, hidden by lies, a server dispatches at most maxImages', async (id) => {
  await using stub = createStub({ deviation: combineDefects([id]) });
  const dispatcher = createDispatcher(lying(stub.handle, louder, 1));
  await audit(inProcess(stub, { maxImages: 4, dispatcher }), options(stub, 1));
  expect(stub.stats.imagesDispatched).toBeLessThanOrEqual(4);
});

test('images that a server claims but no request asked for do not count', async () => {
  await using stub = createStub();
  let nth = 0;
  const dispatcher = createDispatcher(() => {
    nth += 1;
    return told({
      ok: true,
      status: 'dispatched',
      run_id: `run_${nth}`,
      confirmation_id: `c-${nth}`,
      count: nth * 999,
    });
  });
  const { summary } = await audit(inProcess(stub, { allow: [], dispatcher }), { seed: 1 });
  expect(summary).toMatchObject({ imagesRequested: 0, imagesConfirmed: 0, imagesWorstCase: 0 });
});
