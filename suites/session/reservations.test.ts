import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { handledTarget, json, overLimit, primaryKey, sessionAt } from '../../test/handled-target.ts';
import { skippingTimer } from '../../test/skipping-timer.ts';
import { isRecord, member } from '../json.ts';
import { defaultPace } from '../target/target.ts';

// A run never dispatches more images than its limit, and keeps no reservation, whatever happens to its requests.

const maxImages = 7;

/** Fate of a response. `late`: arrives after the next requests. `doubled`: the network delivers the request twice. */
const fates = ['prompt', 'late', 'lost', 'cut', 'doubled', 'throttled', 'failed', 'declined'] as const;
type Fate = (typeof fates)[number];

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
    if (fate === 'throttled') return overLimit('9');
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

type Step =
  | { readonly does: 'propose'; readonly count: number; readonly fate: Fate }
  | {
      readonly does: 'confirm';
      readonly count: number;
      readonly fate: Fate;
      readonly nth: number;
      readonly atOnce: number;
    }
  | { readonly does: 'read'; readonly fate: Fate }
  | { readonly does: 'break the clock' | 'repair the clock' | 'wait' | 'abort' };

const count = fc.integer({ min: 1, max: 4 });
const fate = fc.constantFrom(...fates);
const atOnce = fc.constantFrom(1, 1, 1, 2, 4);
const does = <const T>(value: T) => fc.constant(value);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: does('propose'), count, fate }) },
  { weight: 2, arbitrary: fc.record({ does: does('confirm'), count, fate, nth: fc.nat(5), atOnce }) },
  { weight: 2, arbitrary: fc.record({ does: does('read'), fate: fc.constantFrom('prompt', 'throttled', 'failed') }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('break the clock', 'repair the clock') }) },
  { weight: 2, arbitrary: fc.record({ does: does('wait') }) },
  { weight: 1, arbitrary: fc.record({ does: does('abort') }) },
);

function setup() {
  const deployment = new Deployment();
  const stop = new AbortController();
  const target = handledTarget((request) => deployment.handle(request), {
    allow: ['proposals', 'spending'],
    maxImages,
    pace: { ...defaultPace, timeoutSeconds: 2 },
    clock: { advance: () => deployment.advance() },
  });
  const session = sessionAt(target, { stop, timer: skippingTimer(() => undefined) });
  /** Requests that were started and may still be in flight. */
  const begun: Promise<unknown>[] = [];
  const generate = (args: object, atOnce = 1): Promise<unknown> => {
    const common = { workspace: 'north', board: 'b', brief: 'a square', count: 1, shape: '1:1' };
    const call = { tool: 'images.generate', credential: primaryKey, args: { ...common, ...args } };
    return atOnce === 1 ? session.send(call) : session.sendAtOnce(call, atOnce);
  };
  const issued = () => session.exchanges.flatMap(({ response }) => member(response?.json, 'confirmation_id') ?? []);
  const take = (each: Step): Promise<unknown> => {
    if ('fate' in each) deployment.nextFate = each.fate;
    if (each.does === 'propose') return generate({ count: each.count });
    if (each.does === 'read') return session.send({ tool: 'credits.balance', credential: primaryKey, args: {} });
    if (each.does === 'confirm') {
      const ids = issued();
      const id = ids[each.nth % Math.max(1, ids.length)] ?? 'cnf_0123456789_none';
      return generate({ count: each.count, confirmation_id: id }, each.atOnce);
    }
    if (each.does === 'abort') stop.abort();
    else if (each.does !== 'wait') deployment.clockFails = each.does === 'break the clock';
    return each.does === 'wait' ? Promise.allSettled([...begun]) : Promise.resolve();
  };
  /** Does not wait for the request, so that later steps run meanwhile. */
  const begin = async (each: Step): Promise<void> => {
    begun.push(take(each).catch(() => undefined));
    await new Promise((resolve) => setImmediate(resolve));
    expect(deployment.images).toBeLessThanOrEqual(maxImages);
    expect(session.spending.images.atWorst).toBeLessThanOrEqual(maxImages);
  };
  return { deployment, session, begun, begin };
}

async function within(ms: number, ends: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timeout = setTimeout(() => late.reject(new Error(`stuck for ${ms} ms`)), ms);
  await Promise.race([ends, late.promise]).finally(() => clearTimeout(timeout));
}

test('no order of requests, losses and interruptions exceeds the ceiling or gets stuck', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (steps) => {
      const { deployment, session, begun, begin } = setup();
      for (const each of steps) await begin(each);
      await within(20_000, Promise.all(begun));
      // Nothing is reserved when all requests have ended.
      const { images } = session.spending;
      expect(images.free).toBe(images.left);
      expect(deployment.images).toBeLessThanOrEqual(images.atWorst);
      expect(images.atWorst).toBeLessThanOrEqual(maxImages);
      await session.close();
    }),
    { seed: 22, numRuns: 2000 },
  );
});
