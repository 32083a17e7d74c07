import { expect, test } from 'vitest';
import { all } from '../../test/third-server/changes.ts';
import { combined } from '../../test/third-server/honest/index.ts';
import { startThirdServer } from '../../test/third-server/server.ts';
import { type Steps, step } from '../../test/third-server/steps.ts';
import { thirdKeys, thirdTarget } from '../../test/third-server/target.ts';
import { audit } from './audit.ts';

/** Makes a tool ignore the requested workspace, use the default workspace, and report a pinned key. */
function ignoresWorkspace(tool: string): (steps: Steps) => void {
  return step('resolve', (next) => (call) => {
    const { workspace: _, ...args } = call.args;
    const at = next(call.tool === tool ? { ...call, args } : call);
    return call.tool === tool && 'slug' in at ? { ...at, source: 'key-pin' } : at;
  });
}

test.each([
  ['content.create_request', 'content-requests.works-in-named-workspace'],
  ['images.generate', 'workspaces.argument-honoured'],
])('%s that ignores the workspace is no pin where readings follow it', async (tool, id) => {
  await using server = await startThirdServer({ steps: all(ignoresWorkspace(tool), combined('sources-hidden').steps) });
  const { primary } = thirdKeys(server);
  const only = ['workspaces', 'content-requests', 'image-proposals'];
  const { requirements } = await audit(thirdTarget(server, { keys: { primary } }), { seed: 1, observe: false, only });
  expect(requirements.find((requirement) => requirement.id === id)?.status).toBe('failed');
});
