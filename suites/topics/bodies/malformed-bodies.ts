import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { readAll } from '../requests/read-all.ts';
import { story } from '../story.ts';
import { arrays, bareValues, more, refuse } from './values.ts';

export const malformedBodies = story('malformed bodies', {
  steps: async (t) => {
    await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    await refuse(t, 'schedule.read', [...bareValues, ...arrays]);
    for (const tool of toolsWithoutSideEffects) if (tool !== 'schedule.read') await refuse(t, tool, more(t, tool));
  },
  alsoTests: [
    'bodies.not-json',
    'bodies.json-string',
    'bodies.json-number',
    'bodies.json-boolean',
    'bodies.json-null',
    'bodies.empty-array',
    'bodies.array-of-objects',
    'bodies.large-array',
    'bodies.every-reading-tool',
  ],
});
