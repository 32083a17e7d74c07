import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { createDispatcher } from '../../stub/transports/dispatcher.ts';
import { accepting } from '../../test/echo.ts';
import { leaksOf } from '../../test/leaks.ts';
import { idsWith } from '../../test/output.ts';
import { inProcess } from '../../test/stub-target.ts';
import { audit } from './audit.ts';

test('ids that begin like the keys of a deployment are sent back as they are, and hidden in the report', async () => {
  const prefix = 'acme-production-eu-1-';
  const key = `${prefix}key-7f3a9c`;
  const stub = createStub({
    // Board IDs are configured, and configured values are not secret.
    deviation: (behavior) => ({ ...behavior, writeId: (kind, id) => `${kind === 'brd' ? '' : prefix}${kind}-${id}` }),
  });
  const target = inProcess(stub);
  const { primary } = target.keys;
  if (primary === undefined) throw new Error('the stub has no key');
  const dispatcher = createDispatcher(accepting(stub.handle, key, primary.key));
  const own = { ...target, keys: { ...target.keys, primary: { ...primary, key } }, secrets: [key], dispatcher };
  const only = ['confirmations', 'library', 'content-requests'];
  const result = await audit(own, { seed: 1, only });
  expect(idsWith(result, 'failed', 'errored')).toEqual([]);
  expect(result.summary.imagesConfirmed).toBeGreaterThan(0);
  expect(leaksOf(key)({ result: JSON.stringify(result) })).toEqual([]);
});
