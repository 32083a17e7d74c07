import type { Check } from '../check.ts';
import type { Answered, Exchange } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import type { Missing, Status } from '../result.ts';

/** A finding together with what the engine knows of it. */
export interface Found extends Finding {
  /** How often the same was met. */
  times: number;
  note?: string;
}

/** How one check ended, before it is written into a report. */
export interface Outcome {
  check: Check;
  status: Status;
  reason?: string;
  missing?: readonly Missing[];
  /** Of a check that errored, or that a limit of the kit ended: the exchanges that show why. */
  exchanges?: readonly Exchange[];
  durationMs: number;
  findings: Found[];
}

/** The most findings that one check reports; more of the same kind say nothing new. */
export const mostFindings = 12;

/** Findings that say the same in other words of the deployment's are one; the exchanges of the first ones stand for all. */
export function grouped(findings: readonly Finding[]): Found[] {
  const groups = new Map<string, Found>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.expected, finding.actual, finding.hint]);
    const known = groups.get(key);
    if (known === undefined) {
      groups.set(key, { ...finding, times: 1 });
    } else if (!sameExchanges(known.exchanges, finding.exchanges)) {
      known.times += 1;
      if (known.exchanges.length < 4) known.exchanges = [...known.exchanges, ...finding.exchanges].slice(0, 4);
    }
  }
  return [...groups.values()];
}

function sameExchanges(a: readonly Answered[], b: readonly Answered[]): boolean {
  const seqs = new Set(a.map(({ seq }) => seq));
  return b.every(({ seq }) => seqs.has(seq));
}
