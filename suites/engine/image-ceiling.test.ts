import { expect, test } from 'vitest';
import { exitCodeOfRun } from '../../reports/exit-code.ts';
import { createStub } from '../../stub/index.ts';
import type { Handle, StubRequest, StubResponse } from '../../stub/server/handle.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { isRecord, type JsonRecord } from '../json.ts';
import { skippingTimer } from '../testing/skipping-timer.ts';
import { inProcess } from '../testing/stub-target.ts';
import { audit } from './audit.ts';

const headers = { 'content-type': 'application/json', 'x-service-api': 'beta', 'x-service-tool-error': 'false' };
const refusal = (body: object): StubResponse => ({
  status: 200,
  headers,
  body: JSON.stringify({ ok: false, message: 'Propose again; an id works for about 30 minutes.', ...body }),
});

function argumentsOf({ path, body }: StubRequest): JsonRecord {
  if (!path.endsWith('/images.generate') || body === null) return {};
  try {
    const args: unknown = JSON.parse(Buffer.from(body).toString());
    return isRecord(args) ? args : {};
  } catch {
    return {};
  }
}

/** Proposals have two images or more, and a confirmation with another shape is refused. */
function refusingOtherShapes(handle: Handle): Handle {
  const shapes = new Map<unknown, unknown>();
  return (request) => {
    const { count, shape, confirmation_id: id } = argumentsOf(request);
    if (count === 1) {
      return refusal({ code: 'invalid_arguments', issues: [{ path: 'count', message: 'Ask for 2 images or more.' }] });
    }
    if (shapes.has(id) && shape !== shapes.get(id)) return refusal({ code: 'confirmation_invalid' });
    const response = handle(request);
    const issued = /"confirmation_id":"([^"]+)"/.exec(response.body)?.[1];
    if (issued !== undefined) shapes.set(issued, shape);
    return response;
  };
}

test('a run that met maxImages before it tested a requirement is inconclusive', async () => {
  await using stub = createStub({ seed: 1, rateLimit: 5000 });
  const dispatcher = createDispatcher(refusingOtherShapes(stub.handle));
  const timer = skippingTimer(stub.advance);
  const result = await audit(inProcess(stub, { dispatcher }), { seed: 1, observe: false, timer });
  const shape = result.requirements.find(({ id }) => id === 'confirmations.changed-shape');
  expect(shape?.status).toBe('not-tested');
  expect(result.reasons.join()).toMatch(/requirements not tested, since the run met maxImages: .*confirmations/);
  expect(exitCodeOfRun(result)).toBe(3);
});

test('a run that needs fewer images than maxImages meets no ceiling', async () => {
  await using stub = createStub({ seed: 1, rateLimit: 5000 });
  const timer = skippingTimer(stub.advance);
  const result = await audit(inProcess(stub), { seed: 1, observe: false, timer });
  expect(result).toMatchObject({ verdict: 'conformant', reasons: [] });
});
