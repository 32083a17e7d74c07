import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { judged } from '../../test/judged.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const folder = temporaryFolder();
const agent = fileURLToPath(new URL('../../docs/examples/agent.mjs', import.meta.url));
const judgedOverMcp = (mistake: readonly string[], scenario: readonly string[]) =>
  judged(folder, [process.execPath, agent, ...mistake], { mcp: true, person: 'approve', scenario });

test('the example agent follows the rules', async () => {
  const scenarios = 'limited,ambiguous,ambiguous-again,refused,expired,denied,lost-images.generate,gateway,redirected';
  const { code, result, withStatus } = await judgedOverMcp([], scenarios.split(','));
  expect([code, withStatus('failed'), withStatus('warned')]).toEqual([0, [], []]);
  expect(result.summary.imagesConfirmed).toBeGreaterThan(1);
});

test.each([
  ['approves-alone', 'plain,denied', 'client-confirmations.approved'],
  ['guesses-workspace', 'ambiguous,ambiguous-again,other-names', 'client-workspaces.chosen-by-a-person'],
  ['ignores-wait', 'limited', 'client-limits.retry-after'],
])('the judge finds the mistake of the agent that %s', async (mistake, scenarios, rule) => {
  const { code, withStatus } = await judgedOverMcp([mistake], scenarios.split(','));
  expect({ code, failed: withStatus('failed') }).toEqual({ code: 1, failed: [rule] });
});
