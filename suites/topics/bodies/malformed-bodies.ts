import { quoted } from '../../../fixtures/contract/codes.ts';
import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { readAll } from '../requests/read-all.ts';
import { story } from '../story.ts';
import { refused } from './malformed.ts';
import { arrays, bareValues, more, refuse } from './values.ts';

export const malformedBodies = story('malformed bodies', {
  steps: async (t) => {
    await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    await refuse(t, 'schedule.read', [...bareValues, ...arrays]);
    for (const tool of toolsWithoutSideEffects) if (tool !== 'schedule.read') await refuse(t, tool, more(t, tool));
  },
  requirements: [
    refused(
      must(
        'bodies.not-json',
        `The server MUST return 400 ${quoted.malformedBody} if the body is not JSON.`,
        'Errors, 400; What the service does, rule 1',
      ),
      ['schedule.read'],
      ['not JSON'],
    ),
    refused(
      must(
        'bodies.json-string',
        `The server MUST return 400 ${quoted.malformedBody} if the body is a JSON string.`,
        'Errors, 400; What the service does, rule 1',
      ),
      ['schedule.read'],
      ['string'],
    ),
    refused(
      must(
        'bodies.json-number',
        `The server MUST return 400 ${quoted.malformedBody} if the body is a JSON number.`,
        'Errors, 400; What the service does, rule 1',
      ),
      ['schedule.read'],
      ['number'],
    ),
    refused(
      must(
        'bodies.json-boolean',
        `The server MUST return 400 ${quoted.malformedBody} if the body is a JSON boolean.`,
        'Errors, 400; What the service does, rule 1',
      ),
      ['schedule.read'],
      ['boolean'],
    ),
    refused(
      must(
        'bodies.json-null',
        `The server MUST return 400 ${quoted.malformedBody} if the body is \`null\`.`,
        'Errors, 400; What the service does, rule 1',
      ),
      ['schedule.read'],
      ['null'],
    ),
    refused(
      must(
        'bodies.empty-array',
        `The server MUST return 400 ${quoted.malformedBody} if the body is \`[]\`.`,
        'Errors, 400; What the service does, rule 1',
      ),
      ['schedule.read'],
      ['empty array'],
    ),
    refused(
      must(
        'bodies.array-of-objects',
        `The server MUST return 400 ${quoted.malformedBody} if the body is \`[{}]\`.`,
        'Errors, 400; What the service does, rule 1',
      ),
      ['schedule.read'],
      ['array'],
    ),
    refused(
      must(
        'bodies.large-array',
        `The server MUST return 400 ${quoted.malformedBody} or ${quoted.batchTooLarge} for a very large array.`,
        'Errors, 400; What the service does, rule 1; Limits, batch size',
      ),
      ['schedule.read'],
      ['large array'],
    ),
    refused(
      must(
        'bodies.every-reading-tool',
        'The server MUST return the documented 400 for a malformed body on every tool that only reads.',
        'Errors, 400; What the service does, rule 1',
      ),
      toolsWithoutSideEffects.filter((tool) => tool !== 'schedule.read'),
    ),
  ],
});
