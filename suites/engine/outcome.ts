import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Answered, Exchange } from '../exchange.ts';
import type { Missing, Status } from '../result.ts';

/** A finding with the exchanges of the session that show it, and what the engine knows of it. */
export interface Found {
  expected: string;
  actual: string;
  /** What to look at. */
  hint: string;
  exchanges: readonly Answered[];
  /** How often the same was met. */
  times: number;
  note?: string;
}

/** How one requirement ended, before it is written into a report. */
export interface Outcome {
  requirement: RequirementId;
  status: Status;
  reason?: string;
  missing?: readonly Missing[];
  /** Of a requirement that errored, or that a limit of the kit left untested: the exchanges that show why. */
  exchanges?: readonly Exchange[];
  findings: Found[];
}

/** The most findings that one requirement reports; more of the same kind say nothing new. */
export const mostFindings = 12;

/** The most exchanges that a finding which was met several times refers to. */
const mostExchanges = 4;

/** Findings that say the same are one; the exchanges of the first ones stand for all. */
export function grouped(findings: readonly Found[]): Found[] {
  const groups = new Map<string, Found>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.expected, finding.actual, finding.hint]);
    const known = groups.get(key);
    if (known === undefined) {
      groups.set(key, { ...finding });
    } else if (!sameExchanges(known.exchanges, finding.exchanges)) {
      known.times += finding.times;
      if (known.exchanges.length < mostExchanges) {
        known.exchanges = [...known.exchanges, ...finding.exchanges].slice(0, mostExchanges);
      }
    }
  }
  return [...groups.values()];
}

function sameExchanges(a: readonly Answered[], b: readonly Answered[]): boolean {
  const seqs = new Set(a.map(({ seq }) => seq));
  return b.every(({ seq }) => seqs.has(seq));
}
