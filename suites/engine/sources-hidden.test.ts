import { expect, test } from 'vitest';
import { startThirdServer } from '../../test/third-server/server.ts';
import { around, type Steps } from '../../test/third-server/steps.ts';
import { thirdTarget } from '../../test/third-server/target.ts';
import { audit } from './audit.ts';

/** Hides the workspace and its source in `working_in`, except in results that must show them. */
function hideSources(steps: Steps): void {
  around(steps, 'finish', (next) => async (call, answer) => {
    const done = await next(call, answer);
    const { body } = done;
    const isTold = call.tool === 'content.create_request' || call.tool === 'images.generate';
    if (isTold || typeof body !== 'object' || body === null || !('working_in' in body)) return done;
    return { ...done, body: { ...body, working_in: { label: 'Working here', note: '' } } };
  });
}

/** Makes a tool ignore the requested workspace, use the default workspace, and report a pinned key. */
function ignoresWorkspace(tool: string): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'resolve', (next) => (call) => {
      const { workspace: _, ...args } = call.args;
      const at = next(call.tool === tool ? { ...call, args } : call);
      return call.tool === tool && 'slug' in at ? { ...at, source: 'key-pin' } : at;
    });
}

test.each([
  ['content.create_request', 'content-requests.works-in-named-workspace'],
  ['images.generate', 'workspaces.argument-honoured'],
])('%s that ignores the workspace is no pin where readings follow it', async (tool, id) => {
  const server = await startThirdServer({
    steps(steps) {
      ignoresWorkspace(tool)(steps);
      hideSources(steps);
    },
  });
  const { keys } = thirdTarget(server);
  const alone = keys.primary === undefined ? {} : { primary: keys.primary };
  const only = ['workspaces', 'content-requests', 'image-proposals'];
  const { requirements } = await audit(thirdTarget(server, { keys: alone }), { seed: 1, observe: false, only });
  await server.close();
  expect(requirements.find((requirement) => requirement.id === id)?.status).toBe('failed');
});
