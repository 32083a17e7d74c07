import schema from '../fixtures/report.schema.json' with { type: 'json' };
import type { RunResult } from '../suites/result.ts';
import { inSchemaOrder } from './key-order.ts';

/**
 * What JSON leaves as it is and a terminal or a build server may obey: written as escapes, which reads back as the same
 * text.
 */
const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|#(?=#[a-z]*\[)/giu;

/** Nothing unsafe is to be looked for without any of these. */
const suspicious = /[\u007f-\uffff]|##/;

/** `report.json`: the result of a run, the same bytes for the same result whatever order its members came in. */
export function reportJson(result: RunResult): string {
  return safeJson(inSchemaOrder(sorted(result), schema));
}

/** JSON indented by two spaces, with a final line feed, and nothing in it that a terminal obeys. */
export function safeJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `${suspicious.test(json) ? json.replace(unsafe, escapes) : json}\n`;
}

function sorted(result: RunResult): RunResult {
  return {
    ...result,
    requirements: result.requirements.toSorted(byId),
    outsideReach: result.outsideReach.toSorted(byId),
    observations: result.observations.toSorted(byId),
    exchanges: result.exchanges.toSorted((a, b) => a.id - b.id),
  };
}

function byId(a: { id: string }, b: { id: string }): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

function escapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
