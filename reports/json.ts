import schema from '../fixtures/report.schema.json' with { type: 'json' };
import type { Cause } from '../suites/causes/causes.ts';
import type { ReportedFinding, RunResult } from '../suites/result.ts';
import { inSchemaOrder } from './key-order.ts';
import type { Report } from './report.ts';

/**
 * Characters that JSON does not escape, but that a terminal or a CI server can interpret. They are written as escape
 * sequences, which does not change the value.
 */
const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|#(?=#[a-z]*\[)/giu;

/** Fast check: texts without these characters are safe. */
const suspicious = /[\u007f-\uffff]|##/;

/** `report.json`: the result of a run. The bytes do not depend on the order of members in the result. */
export function reportJson(report: Report): string {
  return safeJson(inSchemaOrder(sorted(withCauses(report)), schema));
}

/** JSON that is safe to print: indented by two spaces, without control characters, with a final line feed. */
export function safeJson(value: unknown, indent = 2): string {
  const json = JSON.stringify(value, null, indent);
  return `${suspicious.test(json) ? json.replace(unsafe, escapes) : json}\n`;
}

/** A cause in `report.json`. */
export interface ReportedCause extends Pick<Cause, 'title' | 'severity' | 'exchanges'> {
  /** Requirement IDs. The first one gives the cause its title. */
  requirements: string[];
  /** Path of the script that reproduces the cause, relative to the report. */
  reproduce?: string;
}

/** Adds the causes, and to each finding the index of its cause. */
function withCauses({ result, causes }: Report): RunResult & { causes: ReportedCause[] } {
  const places = new Map(causes.flatMap(({ findings, number }) => findings.map((finding) => [finding, number - 1])));
  const placed = (finding: ReportedFinding) => {
    const cause = places.get(finding);
    return cause === undefined ? finding : { ...finding, cause };
  };
  return {
    ...result,
    causes: causes.map(({ title, severity, requirements, exchanges, script }) => ({
      title,
      severity,
      requirements: requirements.map(({ id }) => id),
      exchanges,
      ...(script === undefined ? {} : { reproduce: script }),
    })),
    requirements: result.requirements.map((each) => ({ ...each, findings: each.findings.map(placed) })),
  };
}

function sorted<Result extends RunResult>(result: Result): Result {
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
