import fc from 'fast-check';
import { formats, type ToolName } from '../../fixtures/contract/tools.ts';
import type { Args, Context } from '../engine/context.ts';
import { body } from '../exchange.ts';
import { aRequest, controlCreated, marker } from '../scenes/content.ts';
import { briefOf, controlProposed } from '../scenes/images.ts';
import { controlReadings, itemsOf, type LibraryItem, type ReadingTool } from '../scenes/reading.ts';
import { ascii, text } from './draw.ts';

/** A tool with what is surely good for it on this deployment. */
export interface Subject {
  tool: ToolName;
  good: fc.Arbitrary<Args>;
  /** One call of it that was good. */
  plain: Args;
}

const dayMs = 24 * 3600 * 1000;

/** The tools that read, as far as this deployment has something to read. */
export async function readingSubjects(t: Context): Promise<Subject[]> {
  const readings = await controlReadings(t);
  const found = readings.filter(({ tool }) => tool === 'library.search').flatMap(({ answer }) => itemsOf(answer));
  const subjects = readings.map(({ tool, args }) => ({ tool, plain: args, good: goodFor(t, tool, args, found) }));
  return [...subjects, { tool: 'credits.balance', plain: {}, good: fc.constant({}) }];
}

function goodFor(t: Context, tool: ReadingTool, plain: Args, found: readonly LibraryItem[]): fc.Arbitrary<Args> {
  if (tool === 'library.search') return text(0, 60).map((query) => ({ ...plain, query }));
  if (tool === 'knowledge.search') return text(1, 60).map((query) => ({ ...plain, query: `What about ${query}?` }));
  if (tool === 'library.get' && found.length > 0) {
    return fc.constantFrom(...found).map(({ kind, id }) => ({ ...plain, kind, id }));
  }
  const { otherWorkspace } = t.ground;
  return fc.constantFrom(plain, ...(otherWorkspace === undefined ? [] : [{ ...plain, workspace: otherWorkspace }]));
}

/** `content.create_request` with any format, a day in the coming weeks and a title of any length that is allowed. */
export async function creatingSubject(t: Context): Promise<Subject> {
  await controlCreated(t);
  const start = `${marker(t)} `;
  const day = (later: number) => new Date(Date.parse(t.ground.day) + later * dayMs).toISOString().slice(0, 10);
  const good = fc.record({
    format: fc.constantFrom(...formats),
    day: fc.integer({ min: 0, max: 40 }).map(day),
    title: ascii(0, 200 - start.length - 1).map((more) => `${start}${more}.`),
  });
  return { tool: 'content.create_request', plain: aRequest(t), good: good.map((change) => aRequest(t, change)) };
}

/** `images.generate` with any brief, and what is configured for the rest. Without an id, so that it only proposes. */
export async function proposingSubject(t: Context): Promise<Subject> {
  const { args, answer } = await controlProposed(t);
  const { board_id: board = args.board } = body(answer);
  const plain = { ...args, board };
  const start = briefOf(t, 'fuzzed');
  return {
    tool: 'images.generate',
    plain,
    good: text(0, 100).map((more) => ({ ...plain, brief: `${start} ${more}`.trimEnd() })),
  };
}
