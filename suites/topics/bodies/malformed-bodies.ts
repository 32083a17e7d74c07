import { quoted } from '../../../fixtures/contract/codes.ts';
import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { readAll } from '../requests/read-all.ts';
import { story } from '../story.ts';
import { refused, refusesAllKinds, refusesKind } from './malformed.ts';
import { arrays, bareValues, more, refuse } from './values.ts';

export const malformedBodies = story('malformed bodies', {
  steps: async (t) => {
    await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    await refuse(t, 'schedule.read', [...bareValues, ...arrays]);
    for (const tool of toolsWithoutSideEffects) if (tool !== 'schedule.read') await refuse(t, tool, more(t, tool));
  },
  requirements: [
    refusesKind('bodies.not-json', 'not JSON', 'not JSON'),
    refusesKind('bodies.json-string', 'a JSON string', 'string'),
    refusesKind('bodies.json-number', 'a JSON number', 'number'),
    refusesKind('bodies.json-boolean', 'a JSON boolean', 'boolean'),
    refusesKind('bodies.json-null', '`null`', 'null'),
    refusesKind('bodies.empty-array', '`[]`', 'empty array'),
    refusesKind('bodies.array-of-objects', '`[{}]`', 'array'),
    refused(
      must(
        'bodies.large-array',
        `The server MUST return 400 ${quoted.malformedBody} or ${quoted.batchTooLarge} for a very large array.`,
        'Errors, 400; What the service does, rule 1; Limits, batch size',
      ),
      ['schedule.read'],
      ['large array'],
    ),
    refusesAllKinds(
      'bodies.every-reading-tool',
      'on every tool that only reads',
      toolsWithoutSideEffects.filter((tool) => tool !== 'schedule.read'),
    ),
  ],
});
