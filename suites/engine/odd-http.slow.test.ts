import { expect, test } from 'vitest';
import { createStub } from '../../stub/index.ts';
import { oddities } from '../../test/attacks/oddities.ts';
import { listenHostile } from '../../test/attacks/server.ts';
import { idsWith } from '../../test/output.ts';
import { overHttp } from '../../test/stub-target.ts';
import { audit } from './audit.ts';

/** Topics that cover every kind of request. */
const only = ['envelopes', 'library', 'image-proposals', 'confirmations', 'race', 'unknown-tools'];

test.concurrent.each(Object.entries(oddities))(
  '%s breaks no requirement',
  async (_name, oddity) => {
    const stub = createStub();
    await using server = await listenHostile(stub, oddity, (_tool, nth) => nth % 3 === 0);
    const result = await audit(overHttp(stub, server.baseUrl, { shape: stub.shape }), { seed: 1, only });
    expect(server.attacked()).toBeGreaterThan(0);
    expect(idsWith(result, 'failed', 'errored')).toEqual([]);
    expect(result.verdict).toBe('conformant');
  },
  90_000,
);
