import { expect, test } from 'vitest';
import { createStub } from '../../../stub/index.ts';
import { boundaryError } from '../../../stub/server/responses.ts';
import { changing, sentAs } from '../../../stub/variants/changes/responses.ts';
import { instead } from '../../../stub/variants/changes/steps.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';
import { combineDefects } from '../../../test/mutations/defects/index.ts';
import { inProcess } from '../../../test/stub-target.ts';
import { causesOf } from '../../causes/causes.ts';
import { audit } from '../../engine/audit.ts';

const tried = (deviation: Deviation) => audit(inProcess(createStub({ seed: 1, deviation })), { seed: 1 });

const hasProto = (body: unknown) => Object.hasOwn(Object(body), '__proto__');

test.each<[string, Deviation]>([
  ['501 to methods other than POST', changing((_, { request }) => request.method !== 'POST', sentAs(501))],
  [
    '411 to bodies without a length',
    changing((_, { request }) => request.headers['transfer-encoding'] !== undefined, sentAs(411)),
  ],
  [
    'a member __proto__ taken for malformed',
    instead(
      'checkArguments',
      ({ body }) => hasProto(body),
      ({ behavior }) => boundaryError(400, behavior.codes.malformedBody, 'This member is forbidden.'),
    ),
  ],
])('%s breaks no requirement', async (_, deviation) => {
  const { verdict, requirements } = await tried(deviation);
  expect(requirements.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(verdict).toBe('conformant');
});

test('a server that ignores chunks fails one requirement, and the report names the framing', async () => {
  const result = await tried(combineDefects(['chunks-not-read']));
  const { requirements, exchanges } = result;
  expect(requirements.filter(({ status }) => status !== 'passed').map(({ id }) => id)).toEqual(['bodies.chunked']);
  const [cause] = causesOf(result);
  expect(cause?.title).toContain('chunks');
  const shown = exchanges.find(({ id }) => id === cause?.exchanges[0]);
  expect(shown?.curl).toContain("-H 'transfer-encoding: chunked'");
});
