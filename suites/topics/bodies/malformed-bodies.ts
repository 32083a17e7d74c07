import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { creating, titled } from '../requests/content.ts';
import { propose, proposing } from '../requests/proposals.ts';
import { readAll } from '../requests/read-all.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';

/**
 * Malformed bodies for every tool: one that does not parse, and others that parse to something other than an object.
 */
const telling = ['{"workspace": ', '[]', '"{}"', 'null'];

const numbers = (length: number) => `[${Array.from({ length }, () => '0').join(',')}]`;

const bareValues = ['"text"', '"{}"', '""', '1', '0', 'true', 'false', 'null'];

const arrays = [
  '[]',
  '[{}]',
  '[{"a":1}]',
  '[{},{}]',
  '["a"]',
  '[null]',
  '[["query", "a"]]',
  numbers(10_000),
  '['.repeat(60_000),
];

const filled = arrays.filter((body) => body !== '[]' && body.length < 100);

/** Additional bodies that rotate over the tools, so that every run sends each kind to some tool. */
const inTurn = [...bareValues, ...arrays].filter((body) => body.length < 100);

/** Sends a tool bodies that are not JSON objects. */
async function refuse(t: Steps, tool: string, bodies: readonly string[] = telling): Promise<void> {
  await t.sendInParallel(
    `send a body that is not a JSON object to ${tool}`,
    bodies.map((body) => ({ tool, body })),
  );
}

/** Returns the bodies for every tool, and one more, in turn. */
function more(t: Steps, tool: string): string[] {
  const turn = t.turn(`malformed bodies for ${tool}`);
  const others = turn % 2 === 0 ? filled : inTurn;
  return [...new Set([...telling, others[(turn * 7) % others.length] ?? '[{}]'])];
}

/** Returns the bodies for every tool, and the accepted arguments wrapped in a list. */
const listed = ({ args }: StoryRequest): string[] => [...telling, JSON.stringify([args])];

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

export const malformedContentRequests = story('malformed content requests', {
  needs: { effects: ['writes'] },
  steps: async (t) => {
    const asked = creating(t, { title: titled(t, 'bodies') });
    await t.send('create a content request', asked);
    await refuse(t, asked.tool, listed(asked));
  },
  alsoTests: ['bodies.create-request'],
});

export const malformedProposals = story('malformed proposals', {
  needs: { effects: ['proposals'], settings: ['board'] },
  steps: async (t) => {
    await propose(t, 'propose');
    await refuse(t, 'images.generate', listed(proposing(t)));
  },
  alsoTests: ['bodies.images-generate'],
});
