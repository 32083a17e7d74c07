import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Knowledge } from '../../exchange/history.ts';
import type { Finding } from '../finding.ts';
import type { Judged } from '../rule.ts';

/** The judgment of one rule on a history. */
export interface Judgement<Id extends string = RequirementId> {
  readonly id: Id;
  /** Number of judged exchanges, each with a control that succeeded. */
  readonly tested: number;
  /** The shortest judged exchange without a finding, which shows that the requirement was tested. */
  readonly witness?: Exchange;
  readonly findings: readonly Finding[];
  /** Number of findings beyond the ones in `findings`. */
  readonly more: number;
  /** Refutable findings that do not count yet. */
  readonly unconfirmed: readonly Finding[];
  /** Findings whose control has not succeeded so far. */
  readonly pending?: readonly Finding[];
  /** The requirement that guarantees the success of the control, if only its failure left the rule untested. */
  readonly deniedBy?: RequirementId;
  /** Unknown facts, if only these kept the rule from being tested. */
  readonly lacks: readonly Fact[];
  /** How the service declined by its own rule, if only that kept the rule from being tested. */
  readonly declined?: string;
  /** Another reason why the rule was not tested, such as another client. */
  readonly prevented?: string;
  /** The first inconclusive response, if no response was conclusive. */
  readonly unjudged?: { readonly reason: string; readonly exchange: Exchange };
  /** An exception in the rule, with the exchange that caused it. */
  readonly broke?: { readonly reason: string; readonly exchange: Exchange };
}

/** Most findings to keep per rule; further ones are only counted. */
const mostFindings = 1000;

export function brokenBy(error: unknown, rule: string, exchange: Exchange): NonNullable<Judgement['broke']> {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { reason: `internal error in the rule ${rule}: ${what}`, exchange };
}

/** Counts and findings of a rule. */
export class Tally {
  readonly findings: Finding[] = [];
  readonly unconfirmed: Finding[] = [];
  readonly byOthers: Finding[] = [];
  tested = 0;
  /** Number of findings that are not kept. */
  more = 0;
  witness: Exchange | undefined;

  /** @param exchange the judged exchange; undefined if the finding is about the whole history */
  add(finding: Judged, exchange?: Exchange): void {
    if (finding === undefined) return;
    const by = finding?.refutable?.by;
    if (by !== 'others') this.tested += 1;
    if (finding === null) {
      if (exchange !== undefined && sizeOf(exchange) < sizeOf(this.witness)) this.witness = exchange;
      return;
    }
    const list = by === 'others' ? this.byOthers : by === 'repetition' ? this.unconfirmed : this.findings;
    if (list.length < mostFindings) list.push(finding);
    else if (list === this.findings) this.more += 1;
  }

  copy(): Tally {
    const lists = { findings: [...this.findings], unconfirmed: [...this.unconfirmed], byOthers: [...this.byOthers] };
    return Object.assign(new Tally(), this, lists);
  }
}

/** Length of what a reader of an exchange has to read. */
function sizeOf(exchange: Exchange | undefined): number {
  if (exchange === undefined) return Number.POSITIVE_INFINITY;
  const { request, response } = exchange;
  return request.url.length + (request.body?.length ?? 0) + (response?.text.length ?? 0);
}

/** Facts that a history may lack, and that its user can state. */
export type Fact = 'complete' | 'clock';

/** Knowledge that records the unknown facts that a rule asked for. */
type NotingUnknownFacts = Knowledge & { readonly unknown: Set<Fact> };

export function notingUnknownFacts(knowledge: Knowledge): NotingUnknownFacts {
  const unknown = new Set<Fact>();
  const isKnown = (fact: Fact): boolean => {
    if (!knowledge[fact]) unknown.add(fact);
    return knowledge[fact];
  };
  return {
    ...knowledge,
    unknown,
    get complete() {
      return isKnown('complete');
    },
    get clock() {
      return isKnown('clock');
    },
  };
}
