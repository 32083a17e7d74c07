import { expect, test } from 'vitest';
import { limits } from '../../../fixtures/contract/limits.ts';
import { deployments } from '../../../test/third-server/honest/index.ts';
import { type Difference, startThirdServer } from '../../../test/third-server/server.ts';
import { thirdTarget } from '../../../test/third-server/target.ts';
import { audit } from '../../engine/audit.ts';
import { seededText } from '../random.ts';

const changedBrief = 'confirmations.changed-brief';

/** Services that accept only one of the kit's briefs leave no other brief to confirm with. */
const leavesOneBrief = (difference: Difference): boolean =>
  difference === deployments['brief-at-least-200'] || difference === deployments['brief-without-digits'];

/** Runs the kit. Returns the status of each requirement on confirmations that did not pass. */
async function endingsOf(difference: Difference, maxImages: number, startedAt = new Date()) {
  await using server = await startThirdServer(difference);
  const only = ['image-proposals', 'confirmations', 'expiry'];
  const { requirements } = await audit(thirdTarget(server, { maxImages }), {
    seed: 1,
    observe: false,
    only,
    startedAt,
  });
  const looked = requirements.filter(
    ({ id, topic, status }) =>
      only.includes(topic) && status !== 'passed' && !(leavesOneBrief(difference) && id === changedBrief),
  );
  return Object.fromEntries(looked.map(({ id, status }) => [id, status]));
}

test('where images come in pairs, a changed count is tested with another pair', async () => {
  expect(await endingsOf({ settings: { counts: [2, 4] } }, 32)).toEqual({});
});

/** At 12 requests per minute, the tests of one lifetime need almost half an hour. */
const slowKeys = limits.confirmation.surelyAlive >= 20 ? ['twelve-a-minute'] : [];

test.each([...slowKeys, 'open-proposals-limited', 'brief-at-least-200'])(
  'nothing is blamed, and the life of a confirmation is tested or declined: %s',
  async (id) => {
    const endings = await endingsOf(deployments[id] ?? {}, 16);
    const isDeclined = id === 'open-proposals-limited';
    expect(Object.values(endings).filter((status) => !isDeclined || status !== 'not-tested')).toEqual([]);
  },
);

/** Returns a start time for which the run ID has digits, or has none. */
function startOf(hasDigits: boolean): Date {
  let ms = 0;
  while (/\d/.test(seededText(1, `run at ${ms}`, 8)) !== hasDigits) ms += 1;
  return new Date(ms);
}

test.each([true, false])('no brief has digits where the service refuses them: run id with digits %s', async (has) => {
  const difference = deployments['brief-without-digits'] ?? {};
  expect(await endingsOf(difference, 16, startOf(has))).toEqual({});
});
