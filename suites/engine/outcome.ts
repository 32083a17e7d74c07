import type { Exchange } from '../exchange/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { Missing, Status } from '../result.ts';

/** Finding of a report: all findings of a requirement with the same text. */
export interface Found extends Partial<Pick<Finding, 'at' | 'want' | 'got'>> {
  expected: string;
  actual: string;
  hint: string;
  exchanges: readonly Exchange[];
  /** Exchanges of the first occurrence. `exchanges` may include later occurrences. */
  first?: readonly Exchange[];
  times: number;
  /** Why the finding is unverified: its story could not run again, or its requests did not show it again. */
  note?: string;
}

/** Outcome of one requirement, before it becomes part of a report. */
export interface Outcome {
  requirement: string;
  status: Status;
  reason?: string;
  missing?: readonly Missing[];
  /** The requirement whose failure left this one untested. */
  precondition?: string;
  /** Exchanges that show why the requirement errored or was not tested. */
  exchanges?: readonly Exchange[];
  witness?: Exchange;
  findings: Found[];
}

/** Maximum number of findings per requirement. More findings of one kind add no information. */
export const mostFindings = 12;

const mostExchanges = 4;

export const found = ({ refutable: _, ...finding }: Finding): Found => ({
  ...finding,
  first: finding.exchanges,
  times: 1,
});

/** Merges findings with identical texts. The exchanges of the first occurrences represent all of them. */
export function grouped(findings: readonly Found[]): Found[] {
  const groups = new Map<string, Found>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.expected, finding.actual, finding.hint]);
    const known = groups.get(key);
    if (known === undefined) {
      groups.set(key, { ...finding });
    } else if (!finding.exchanges.every((exchange) => known.exchanges.includes(exchange))) {
      known.times += finding.times;
      if (known.exchanges.length < mostExchanges) {
        known.exchanges = [...known.exchanges, ...finding.exchanges].slice(0, mostExchanges);
      }
    }
  }
  return [...groups.values()];
}
