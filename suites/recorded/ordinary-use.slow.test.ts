import { describe, expect, test } from 'vitest';
import { hiddenFromOrdinaryUse } from '../../test/hidden-from-ordinary-use.ts';
import { type DefectId, defects } from '../../test/mutations/defects/index.ts';
import { ordinaryUse } from '../../test/ordinary-use.ts';
import { foundIn } from '../../test/recording.ts';
import { inProcess } from '../../test/stub-target.ts';
import { JudgingProxy } from './proxy/proxy.ts';

const hidden = Object.values(hiddenFromOrdinaryUse).flat();
const ids = Object.keys(defects).filter((id): id is DefectId => id in defects);
const shown = ids.filter((id) => !hidden.includes(id));

async function audited(id?: DefectId): Promise<string[]> {
  const { traffic, target } = await ordinaryUse(id === undefined ? [] : [id]);
  return foundIn(traffic, { target, assumed: ['complete', 'clock'] });
}

/** Returns the findings if the traffic passes through a proxy. */
async function proxied(id?: DefectId): Promise<string[]> {
  const started = Promise.withResolvers<JudgingProxy>();
  const unlimited = { only: undefined, skip: undefined, require: undefined, label: undefined, har: undefined };
  await ordinaryUse(id === undefined ? [] : [id], async (stub) => {
    const { baseUrl } = await stub.listen();
    const target = inProcess(stub, { shape: '1:1' });
    const options = { target, assumed: ['complete', 'clock'] as const, client: false, onFinding: () => undefined };
    const proxy = new JudgingProxy({ ...unlimited, ...options, baseUrl, now: () => stub.now() });
    started.resolve(proxy);
    return proxy.listen(0, '127.0.0.1');
  });
  const { requirements } = await (await started.promise).end();
  return requirements.filter(({ findings }) => findings.length > 0).map(({ id }) => id);
}

/** One defect of each kind of evidence: a response, several responses, the request, the place and the clock. */
const throughProxy: readonly DefectId[] = [
  'days-empty',
  'items-twice',
  'title-over-limit-accepted',
  'argument-ignored-by-library-get',
  'confirmation-good-twice',
];

const ways = [
  ['audit', audited],
  ['proxy', proxied],
] as const;

test.each(ways)('conforming traffic has no finding by %s', async (_, findingsOf) => {
  expect(await findingsOf()).toEqual([]);
});

test('the list names every hidden defect once, and at least 150 are shown', () => {
  expect(hidden.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(hidden).size).toBe(hidden.length);
  expect(shown.length).toBeGreaterThan(150);
});

describe.each(ways)('tck %s', (name, findingsOf) => {
  test.each(name === 'audit' ? shown : throughProxy)('finds %s by a requirement that it breaks', async (id) => {
    const breaks: readonly string[] = defects[id].breaks;
    expect((await findingsOf(id)).filter((finding) => breaks.includes(finding))).not.toEqual([]);
  });
});
