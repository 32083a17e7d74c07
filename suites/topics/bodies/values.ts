import type { Steps, StoryRequest } from '../steps.ts';

/**
 * Malformed bodies for every tool: one that does not parse, and others that parse to something other than an object.
 */
export const telling = ['{"workspace": ', '[]', '"{}"', 'null'];

const numbers = (length: number) => `[${Array.from({ length }, () => '0').join(',')}]`;

export const bareValues = ['"text"', '"{}"', '""', '1', '0', 'true', 'false', 'null'];

export const arrays = [
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
export async function refuse(t: Steps, tool: string, bodies: readonly string[] = telling): Promise<void> {
  await t.sendInParallel(
    `send a body that is not a JSON object to ${tool}`,
    bodies.map((body) => ({ tool, body })),
  );
}

/** Returns the bodies for every tool, and one more that the seed selects. */
export function more(t: Steps, tool: string): string[] {
  const turn = t.turn(`malformed bodies for ${tool}`);
  const others = turn % 2 === 0 ? filled : inTurn;
  return [...new Set([...telling, others[(turn * 7) % others.length] ?? '[{}]'])];
}

/** Returns the bodies for every tool, and the accepted arguments wrapped in a list. */
export const listed = ({ args }: StoryRequest): string[] => [...telling, JSON.stringify([args])];
