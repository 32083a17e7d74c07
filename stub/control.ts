import { hash, timingSafeEqual } from 'node:crypto';
import type { Handle, StubRequest, StubResponse } from './exchange.ts';
import type { MovableClock } from './state/clock.ts';

/** Where the control plane lives, beside the API and not below it. */
export const controlPath = '/__control/';
export const advancePath = `${controlPath}advance`;
/** The header that carries the control token, in lower case. */
export const controlHeader = 'x-control-token';

export interface ControlOptions {
  readonly token: string;
  readonly clock: MovableClock;
}

/**
 * The control plane: `POST /__control/advance` with `{"seconds": n}` moves the clock and answers `{"now": "<ISO 8601>"}`. It is no
 * part of the document, and its answers deliberately do not look like those of a tool.
 */
export function createControl({ token, clock }: ControlOptions): Handle {
  const expected = hash('sha256', token, 'buffer');
  return (request) => {
    const given = request.headers[controlHeader];
    // Digests are of one length, which a comparison in constant time needs.
    if (typeof given !== 'string' || !timingSafeEqual(hash('sha256', given, 'buffer'), expected)) {
      return answer(401, { problem: `The header ${controlHeader} does not carry the control token.` });
    }
    if (request.path !== advancePath) return answer(404, { problem: 'There is no such control.' });
    if (request.method !== 'POST') return answer(405, { problem: 'Controls are moved by POST.' }, { allow: 'POST' });
    return advance(request, clock);
  };
}

function advance(request: StubRequest, clock: MovableClock): StubResponse {
  try {
    const wanted: unknown = JSON.parse(Buffer.from(request.body ?? []).toString('utf8'));
    const seconds = typeof wanted === 'object' && wanted !== null && 'seconds' in wanted ? wanted.seconds : undefined;
    if (typeof seconds !== 'number') throw new RangeError('The body has no number called seconds.');
    clock.advance(seconds);
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'The body is not JSON.';
    return answer(400, { problem: `${reason} Send {"seconds": 60}.` });
  }
  return answer(200, { now: new Date(clock.now()).toISOString() });
}

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): StubResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  };
}
