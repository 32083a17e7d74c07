import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { handledTarget, json } from '../../test/handled-target.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { isRecord, member } from '../json.ts';
import { defaultPace } from '../target/target.ts';
import type { Credential } from './sent-exchange.ts';
import { Session } from './session.ts';

// A run never dispatches more images than its limit, and keeps no reservation, whatever happens to its requests.

const maxImages = 7;
const key: Credential = { label: 'primary', role: 'primary', header: 'Bearer k', good: true };

/** Fate of a response. `late`: arrives after the next requests. `doubled`: the network delivers the request twice. */
const fates = ['prompt', 'late', 'lost', 'cut', 'doubled', 'throttled', 'failed', 'declined'] as const;
type Fate = (typeof fates)[number];

const busy = json({ error: { code: 'tenant_mcp.rate_limited', message: 'Wait.' } }, 429, { 'retry-after': '9' });
const refusal = (code: string) => json({ ok: false, code, message: 'No.' });

/** A conforming server on an unreliable network. */
class Deployment {
  images = 0;
  nextFate: Fate = 'prompt';
  clockFails = false;
  #issued = 0;
  readonly #open = new Map<string, number>();

  handle(request: StubRequest): StubResponse {
    const fate = this.nextFate;
    this.nextFate = 'prompt';
    if (fate === 'throttled') return busy;
    if (fate === 'declined') return refusal('quiet_hours');
    const response = this.#respond(request);
    if (fate === 'doubled') return this.#respond(request);
    if (fate === 'failed') return json({}, 500);
    if (fate === 'late') return { ...response, delivery: { delayMs: 15 } };
    if (fate === 'lost' || fate === 'cut') return { ...response, delivery: { cutAtBytes: fate === 'lost' ? -1 : 9 } };
    return response;
  }

  #respond({ path, body }: StubRequest): StubResponse {
    if (!path.endsWith('images.generate')) return json({ ok: true, balance: 100 });
    const args: unknown = JSON.parse(Buffer.from(body ?? []).toString());
    if (!isRecord(args)) return refusal('invalid_arguments');
    const { confirmation_id: id, count } = args;
    if (typeof id !== 'string') {
      this.#issued += 1;
      const issued = `cnf_0123456789_${this.#issued}`;
      this.#open.set(issued, Number(count));
      return json({ ok: true, status: 'confirmation_required', confirmation_id: issued, run_id: null, count });
    }
    const images = this.#open.get(id);
    this.#open.delete(id);
    if (images === undefined) return refusal('confirmation_invalid');
    this.images += images;
    return json({ ok: true, status: 'dispatched', run_id: `run_${id}`, count: images, workspace: 'north' });
  }

  async advance(): Promise<void> {
    if (this.clockFails) throw new Error('the clock is gone');
  }
}

interface Real {
  readonly deployment: Deployment;
  readonly session: Session;
  readonly stop: AbortController;
  /** Requests that were started and may still be in flight. */
  readonly begun: Promise<unknown>[];
}

type Step = fc.AsyncCommand<object, Real>;

/** Step that does not wait for its request, so that later steps run meanwhile. */
function step(name: string, begin: (real: Real) => Promise<unknown> | undefined): Step {
  return {
    check: () => true,
    async run(_, real) {
      real.begun.push(Promise.resolve(begin(real)).catch(() => undefined));
      await new Promise((resolve) => setImmediate(resolve));
      expect(real.deployment.images).toBeLessThanOrEqual(maxImages);
      expect(real.session.spending.images.atWorst).toBeLessThanOrEqual(maxImages);
    },
    toString: () => name,
  };
}

function generate({ session }: Real, args: object, atOnce = 1): Promise<unknown> {
  const call = {
    tool: 'images.generate',
    credential: key,
    args: { workspace: 'north', board: 'b', brief: 'a square', count: 1, shape: '1:1', ...args },
  };
  return atOnce === 1 ? session.send(call) : session.sendAtOnce(call, atOnce);
}

/** Returns one of the IDs that the kit received. */
function someId({ session }: Real, nth: number): unknown {
  const ids = session.exchanges.flatMap(({ response }) => member(response?.json, 'confirmation_id') ?? []);
  return ids[nth % Math.max(1, ids.length)];
}

const count = fc.integer({ min: 1, max: 4 });
const steps: fc.Arbitrary<Step>[] = [
  fc.record({ count, fate: fc.constantFrom(...fates) }).map(({ count: images, fate }) =>
    step(`propose ${images}, ${fate}`, (real) => {
      real.deployment.nextFate = fate;
      return generate(real, { count: images });
    }),
  ),
  fc
    .record({ count, nth: fc.nat(5), fate: fc.constantFrom(...fates), atOnce: fc.constantFrom(1, 1, 1, 2, 4) })
    .map(({ count: images, nth, fate, atOnce }) =>
      step(`confirm ${images} of id ${nth}, ${fate}, ${atOnce} at once`, (real) => {
        real.deployment.nextFate = fate;
        return generate(real, { count: images, confirmation_id: someId(real, nth) ?? 'cnf_0123456789_none' }, atOnce);
      }),
    ),
  fc.constantFrom<Fate>('prompt', 'throttled', 'failed').map((fate) =>
    step(`read, ${fate}`, (real) => {
      real.deployment.nextFate = fate;
      return real.session.send({ tool: 'credits.balance', credential: key, args: {} });
    }),
  ),
  fc.boolean().map((fails) =>
    step(`the clock ${fails ? 'fails' : 'works'}`, (real) => {
      real.deployment.clockFails = fails;
      return undefined;
    }),
  ),
  fc.constant(
    step('wait for all', async (real) => {
      await Promise.allSettled([...real.begun]);
    }),
  ),
];
const abort = step('abort', ({ stop }) => {
  stop.abort();
  return undefined;
});

function setup(): { model: object; real: Real } {
  const deployment = new Deployment();
  const stop = new AbortController();
  const target = handledTarget((request) => deployment.handle(request), {
    allow: ['proposals', 'spending'],
    maxImages,
    pace: { ...defaultPace, timeoutSeconds: 2 },
    clock: { advance: () => deployment.advance() },
  });
  const timer = skippingTimer(() => undefined);
  const session = new Session(target, stop.signal, () => undefined, timer);
  return { model: {}, real: { deployment, session, stop, begun: [] } };
}

/** When all requests have ended, nothing is reserved. */
async function settles({ deployment, session, begun }: Real): Promise<void> {
  await Promise.all(begun);
  const { images } = session.spending;
  expect(images.free).toBe(images.left);
  expect(deployment.images).toBeLessThanOrEqual(images.atWorst);
  expect(images.atWorst).toBeLessThanOrEqual(maxImages);
  await session.close();
}

async function within(ms: number, ends: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timeout = setTimeout(() => late.reject(new Error(`stuck for ${ms} ms`)), ms);
  await Promise.race([ends, late.promise]).finally(() => clearTimeout(timeout));
}

test('no order of requests, losses and interruptions exceeds the ceiling or gets stuck', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands([...steps, ...steps, fc.constant(abort)], { maxCommands: 25 }), async (commands) => {
      const { real } = setup();
      await fc.asyncModelRun(() => ({ model: {}, real }), commands);
      await within(20_000, settles(real));
    }),
    { seed: 22, numRuns: 2000 },
  );
});
