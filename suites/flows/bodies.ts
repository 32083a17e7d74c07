import {
  tools as declarations,
  plainTools,
  toolsWithoutBody,
  toolsWithoutSideEffects,
} from '../../fixtures/contract/tools.ts';
import { requirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { isSuccess } from '../history/exchange.ts';
import { creating, titled } from './content.ts';
import { flow } from './flow.ts';
import { propose, proposing } from './images.ts';
import { readAll } from './read-all.ts';
import type { Asked, Steps } from './steps.ts';

/**
 * Bodies that each tool is tried with: one that does not parse, and ones that parse to something else than an object.
 */
export const telling = ['{"workspace": ', '[]', '"{}"', 'null'];

const numbers = (length: number) => `[${Array.from({ length }, () => '0').join(',')}]`;

const bareValues = ['"text"', '"{}"', '""', '1', '0', 'true', 'false', 'null'];

const arrays = [
  '[]',
  '[{}]',
  '[{"a":1}]',
  '[{},{}]',
  '["a"]',
  '[null]',
  '[{}, 1]',
  '[["query", "a"]]',
  numbers(1_500),
  numbers(10_000),
];

/** Lists that are not empty. */
const filled = arrays.filter((body) => body !== '[]' && body.length < 100);

/** What each tool is tried with in turn besides, so that every run meets every kind on some of them. */
const inTurn = [...bareValues, ...arrays].filter((body) => body.length < 100);

/** Sends bodies that are no JSON object to a tool. */
async function refuse(t: Steps, tool: string, bodies: readonly string[] = telling): Promise<void> {
  await t.sendAll(
    `send ${tool} what is not a JSON object`,
    bodies.map((body) => ({ tool, body })),
  );
}

/** The bodies that every tool is tried with, and one of the others: a list that is not empty, or anything. */
function more(t: Steps, tool: string): string[] {
  const turn = t.text(`malformed bodies for ${tool}`).charCodeAt(0);
  const others = turn % 2 === 0 ? filled : inTurn;
  return [...new Set([...telling, others[(turn * 7) % others.length] ?? '[{}]'])];
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
    await readAll(t, 'read', t.here(), { once: true });
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    await refuse(t, 'schedule.read', [...bareValues, ...arrays]);
    for (const tool of toolsWithoutSideEffects) if (tool !== 'schedule.read') await refuse(t, tool, more(t, tool));
  },
);

/** So deep, and so large, that no server has to mind: far below what is refused for its size alone. */
const depth = 300;
const large = 65_000;

const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Ways to write one JSON object, each as good as the usual one; and members of it that nobody asked for. */
const writings: readonly ((text: string) => Partial<Asked>)[] = [
  (body) => ({ body, chunked: true }),
  (body) => ({ body, headers: { 'content-type': 'application/json; charset=utf-8' } }),
  (body) => ({ body, headers: { 'content-type': 'application/json;charset=UTF-8' } }),
  (body) => ({ body: `\n${body}\r\n` }),
  (body) => ({ body: JSON.stringify(JSON.parse(body), null, '\t') }),
  (body) => ({ body: body.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`) }),
];

const furtherMembers = [`"tck_deep":${deep}`, `"tck_large":"${'x'.repeat(large)}"`];

/** Bodies that hold the same object, and one that holds none, framed and written in other ways. */
export const writtenOtherwise = flow(
  'bodies that are written otherwise',
  { lane: 'reading', witnesses: ['arguments.anything-answered'] },
  async (t) => {
    const tools = [...plainTools, 'credits.balance'];
    const turn = t.text('bodies that are written otherwise').charCodeAt(0);
    const toolOf = (index: number) => tools[(turn + index) % tools.length] ?? 'schedule.read';
    for (const [index, write] of writings.entries()) {
      const tool = toolOf(index);
      const args = tool === 'credits.balance' ? {} : t.here();
      await t.sendOnce('send it as usual', { tool, args });
      await t.send('send it written otherwise', { tool, args, ...write(JSON.stringify(args)) });
    }
    for (const [index, member] of furtherMembers.entries()) {
      const tool = toolOf(index);
      const body = JSON.stringify(tool === 'credits.balance' ? {} : t.here());
      const more = `${body.slice(0, -1)}${body === '{}' ? '' : ','}${member}}`;
      await t.send('send more than is asked for', { tool, args: JSON.parse(more), body: more });
    }
    for (const body of ['"text"', '[{}]', '{"workspace": ']) {
      await t.send('send chunks that are no JSON object', { tool: 'schedule.read', body, chunked: true });
    }
  },
);

/** What each tool is tried with, and a list that holds what would be accepted. */
const listed = ({ args }: Asked): string[] => [...telling, JSON.stringify([args])];

export const malformedContentRequests = flow(
  'malformed content requests',
  {
    lane: 'writing',
    needs: { effects: ['writes'] },
    uses: ['content'],
    witnesses: ['bodies.create-request'],
  },
  async (t) => {
    const asked = creating(t, { title: titled(t, 'bodies') });
    await t.send('create a content request', asked);
    await refuse(t, asked.tool, listed(asked));
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
    await refuse(t, 'images.generate', listed(proposing(t)));
  },
);

/** Roles whose keys resolve to a workspace by themselves; `primary` may. */
const resolving: readonly Role[] = ['defaulted', 'pinned', 'sole', 'primary'];

export const omittedBodies = flow(
  'omitted bodies',
  {
    lane: 'reading',
    needs: { roles: [] },
    witnesses: toolsWithoutBody.map((tool) => requirementId(`bodies.omitted-${declarations[tool].slug}`)),
  },
  async (t) => {
    const present = resolving.filter((role) => t.has(role));
    let resolved = 0;
    for (const as of present) {
      const tools = resolved === 0 ? toolsWithoutBody : (['schedule.read'] as const);
      const [first] = await Promise.all(tools.map((tool) => t.sendOnce('send no arguments', { tool, args: {}, as })));
      if (first !== undefined && isSuccess(first)) resolved += 1;
      for (const tool of tools) await t.send('send no body', { tool, as });
    }
    if (resolved === 0)
      t.cannot('no key that resolves to a workspace without the argument', { kind: 'role', role: 'sole' });
  },
);
