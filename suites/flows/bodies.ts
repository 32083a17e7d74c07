import type { Role } from '../../fixtures/roles.ts';
import { isSuccess } from '../history/exchange.ts';
import { isRecord, member } from '../json.ts';
import { flow } from './flow.ts';
import { propose } from './images.ts';
import type { Steps } from './steps.ts';

/** Bodies that each tool is tried with: one that does not parse, and ones that parse to something else than an object. */
const telling = ['{"workspace": ', '[]', '"{}"', 'null'];

const numbers = (length: number) => `[${Array.from({ length }, () => '0').join(',')}]`;

const malformed = [
  '{"workspace": ',
  'workspace=north',
  '{workspace: "north"}',
  '{"query": "a",}',
  '{/* none */}',
  '{} {}',
  '"text"',
  '"{}"',
  '1',
  '0',
  'true',
  'false',
  'null',
  '[]',
  '[{}]',
  '[{"a":1}]',
  numbers(10_000),
];

/** Sends bodies that are no JSON object to a tool. */
async function refuse(t: Steps, tool: string, bodies: readonly string[] = telling): Promise<void> {
  await t.sendAll(
    `send ${tool} what is not a JSON object`,
    bodies.map((body) => ({ tool, body })),
  );
}

export const malformedBodies = flow(
  'malformed bodies',
  {
    lane: 'reading',
    witnesses: [
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
  },
  async (t) => {
    const plain = ['schedule.read', 'content.status', 'connections.status'].map((tool) => ({ tool, args: t.here() }));
    await t.sendAll('read', [
      ...plain,
      { tool: 'knowledge.search', args: t.here({ query: 'Who are our readers?' }) },
      { tool: 'credits.balance', args: {} },
    ]);
    const found = await t.send('ask for the most recent items', {
      tool: 'library.search',
      args: t.here({ query: '' }),
    });
    const items = member(found.response.json, 'items');
    const [item] = Array.isArray(items) ? items.filter(isRecord) : [];
    if (item !== undefined) {
      const { kind, id } = item;
      await t.send('fetch an item', { tool: 'library.get', args: t.here({ kind, id }) });
    }
    await refuse(t, 'schedule.read', malformed);
    for (const { tool } of plain.slice(1)) await refuse(t, tool);
    for (const tool of ['library.search', 'library.get', 'knowledge.search', 'credits.balance']) await refuse(t, tool);
  },
);

/** Coming days that are tried for one that is open. */
const mostDays = 6;

const dayMs = 24 * 3600 * 1000;

export const malformedContentRequests = flow(
  'malformed content requests',
  { lane: 'writing', needs: { effects: ['writes'] }, witnesses: ['bodies.create-request'] },
  async (t) => {
    const days = Array.from({ length: mostDays }, (_, later) =>
      new Date(Date.parse(t.known.day) + later * dayMs).toISOString().slice(0, 10),
    );
    const created = await t.firstAccepted(
      'create a content request',
      days.map((day) => ({
        tool: 'content.create_request',
        args: t.here({ format: 'posts', day, title: `tck ${t.known.runId}: bodies` }),
      })),
      isSuccess,
    );
    if (created === undefined) t.cannot('no content request was accepted, see content-requests.created');
    await refuse(t, 'content.create_request');
  },
);

export const malformedProposals = flow(
  'malformed proposals',
  {
    lane: 'images',
    needs: { effects: ['proposals'], settings: ['board'] },
    uses: ['proposal'],
    witnesses: ['bodies.images-generate'],
  },
  async (t) => {
    await propose(t, 'propose');
    await refuse(t, 'images.generate');
  },
);

/** Roles whose keys resolve to a workspace by themselves; `primary` may. */
const resolving: readonly Role[] = ['defaulted', 'pinned', 'sole', 'primary'];

export const omittedBodies = flow(
  'omitted bodies',
  {
    lane: 'reading',
    needs: { roles: [] },
    witnesses: ['bodies.omitted-schedule-read', 'bodies.omitted-connections-status', 'bodies.omitted-credits-balance'],
  },
  async (t) => {
    const present = resolving.filter((role) => t.has(role));
    let resolved = 0;
    for (const as of present) {
      const tools = resolved === 0 ? ['schedule.read', 'connections.status', 'credits.balance'] : ['schedule.read'];
      const [first] = await t.sendAll(
        'send no arguments',
        tools.map((tool) => ({ tool, args: {}, as })),
      );
      if (first !== undefined && isSuccess(first)) resolved += 1;
      for (const tool of tools) await t.send('send no body', { tool, as });
    }
    if (resolved === 0) t.cannot('no key that resolves to a workspace by itself', { kind: 'role', role: 'sole' });
  },
);
