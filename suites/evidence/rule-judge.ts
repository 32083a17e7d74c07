import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { complete, type Finding } from '../expectations/finding.ts';
import type { AnyRule, ClientRule, Rule, Twin } from '../expectations/rule.ts';
import { type Completed, type Exchange, isCompleted } from '../history/exchange.ts';
import { brief, isRecord, withoutUndefined } from '../json.ts';
import { requestsProposal } from '../situations/client-requests.ts';
import { declinedWith, isSelective } from '../situations/house-rules.ts';
import type { Seen } from '../situations/seen.ts';
import { statusReason } from '../usage/counted.ts';
import type { ResponseEvidence } from './response-evidence.ts';
import type { Fact } from './unknown-facts.ts';

/** The judgment of one rule on a history. */
export interface Judgement<R extends AnyRule = Rule> {
  readonly id: R['id'];
  /** Number of judged exchanges, each with a twin that succeeded. */
  readonly tested: number;
  /** The shortest judged exchange without a finding, which shows that the requirement was tested. */
  readonly witness?: Exchange;
  readonly findings: readonly Finding[];
  /** Number of findings beyond the ones in `findings`. */
  readonly more: number;
  /** Refutable findings that do not count yet. */
  readonly unconfirmed: readonly Finding[];
  /** The requirement that guarantees the success of the twin, if only a failed twin kept the rule from being tested. */
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

/** Most exchanges of a rule that wait for their twin. */
const mostWaiting = 200;

/** When the list is full, check the twins again on every 50th arrival. */
const looksApart = 50;

/** Most findings to keep per rule; further ones are only counted. */
const mostFindings = 1000;

export type OnFinding<R extends AnyRule = Rule> = (id: R['id'], finding: Finding) => void;

interface WaitingApplication {
  readonly exchange: Completed;
  readonly finding: Finding | undefined;
  /** Whether a later request may show that the service declined this one by its own rule. */
  readonly awaitsHouseRule: boolean;
}

/** A rule with its judgment so far. */
export class RuleJudge<R extends AnyRule> {
  readonly #rule: R;
  readonly #tally = new Tally();
  #waiting: WaitingApplication[] = [];
  #turnedAway = 0;
  readonly #onFinding: OnFinding<R> | undefined;
  readonly #lacks = new Set<Fact>();
  #declined: string | undefined;
  #prevented: string | undefined;
  #unjudged: Judgement['unjudged'];
  #broke: Judgement['broke'];

  constructor(rule: R, onFinding?: OnFinding<R>) {
    this.#onFinding = onFinding;
    this.#rule = rule;
  }

  get id(): R['id'] {
    return this.#rule.id;
  }

  see(exchange: Exchange, seen: Seen, evidence: ResponseEvidence, unknown: Set<Fact>): void {
    const rule: AnyRule = this.#rule;
    if (unknown.size > 0) unknown.clear();
    try {
      if (rule.judges === 'requests') this.#seeRequest(rule, exchange, seen);
      else if (isCompleted(exchange)) this.#seeResponse(rule, exchange, seen, evidence, unknown);
      else {
        const finding = rule.unanswered?.(exchange);
        if (finding !== undefined) this.#settle(complete(finding, exchange), exchange);
      }
    } catch (error) {
      this.#broke ??= brokenBy(error, rule, exchange);
    }
  }

  #seeRequest(rule: ClientRule, exchange: Exchange, seen: Seen): void {
    const finding = rule.judge(exchange, seen);
    if (finding === undefined) return;
    const prevented = finding === null ? undefined : rule.prevented?.(seen);
    this.#prevented ??= prevented;
    if (prevented === undefined) this.#settle(finding ?? undefined, exchange);
  }

  #seeResponse(rule: Rule, exchange: Completed, seen: Seen, evidence: ResponseEvidence, unknown: Set<Fact>): void {
    if (evidence.chunked !== (rule.judges === 'chunked bodies')) return;
    const judgesAll = rule.judges === 'every response' || rule.judges === 'chunked bodies';
    if (evidence.ofIntermediary || (!judgesAll && !evidence.ordinary)) {
      if (this.#tally.tested === 0 && this.#unjudged === undefined) this.#unjudged = unjudgedBy(rule, exchange, seen);
      return;
    }
    if (!rule.applies(exchange, seen)) {
      for (const fact of unknown) this.#lacks.add(fact);
      return;
    }
    const declined = rule.mayDecline === true && isSelective(exchange) ? declinedBy(exchange) : undefined;
    this.#declined ??= declined;
    if (declined !== undefined) return;
    const finding = rule.expect(exchange, seen);
    if (finding !== undefined && evidence.refusesViolation && rule.judges === undefined) return;
    if (finding !== undefined && evidence.mayHaveChanged && judgesOutcomes(rule)) return;
    const awaitsHouseRule = finding !== undefined && mayBeByHouseRule(rule, exchange, finding);
    if (!awaitsHouseRule && (rule.twin?.(exchange, seen).succeeded ?? true)) this.#settle(finding, exchange);
    else this.#wait({ exchange, finding, awaitsHouseRule }, seen);
  }

  /**
   * Adds an exchange that must wait. When the list is full, settles the exchanges whose twins have succeeded. Checks
   * the twins only now and then, because the check is slow.
   */
  #wait(waiting: WaitingApplication, seen: Seen): void {
    if (this.#waiting.length >= mostWaiting) {
      if (this.#turnedAway % looksApart === 0) this.#settleWaiting(seen, false);
      this.#turnedAway += 1;
    }
    if (this.#waiting.length < mostWaiting) this.#waiting.push(waiting);
  }

  /** Settles everything that waited for the end of the history. */
  end(seen: Seen): void {
    this.#settleWaiting(seen, true);
    const shown = this.#atEnd(seen);
    if (shown !== undefined) this.#settle(shown ?? undefined);
  }

  /** Returns the judgment as if the history ended here. Changes nothing, so callers can ask at any time. */
  judgement(seen: Seen): Judgement<R> {
    const { settled, deniedBy, declined = this.#declined, broke: brokeTwin } = this.#ripe(seen, true);
    const tally = this.#tally.copy();
    for (const { finding, exchange } of settled) tally.add(finding, exchange);
    const shown = this.#atEnd(seen);
    const otherClient = this.#otherClient(seen);
    const broke = this.#broke ?? brokeTwin;
    const { refutable } = tally.byOthers[0] ?? {};
    const isEnough = refutable?.by === 'others' && tally.byOthers.length >= refutable.times;
    const byOthers = isEnough && otherClient === undefined ? tally.byOthers : [];
    const settledTimes = tally.tested + byOthers.length + (shown === undefined ? 0 : 1);
    const isExplained = otherClient !== undefined && tally.byOthers.length > 0;
    const tested = this.#prevented === undefined && !isExplained ? settledTimes : 0;
    const prevented = otherClient ?? this.#prevented;
    return {
      id: this.#rule.id,
      tested,
      findings: [...tally.findings, ...byOthers, ...(shown ? [shown] : [])],
      more: tally.more,
      unconfirmed: [...tally.unconfirmed, ...(byOthers.length > 0 || otherClient !== undefined ? [] : tally.byOthers)],
      lacks: tested > 0 ? [] : [...this.#lacks],
      ...(tested > 0 ? {} : withoutUndefined({ deniedBy, declined, prevented, unjudged: this.#unjudged })),
      ...withoutUndefined({ broke, witness: tally.witness }),
    };
  }

  #atEnd(seen: Seen): ReturnType<NonNullable<ClientRule['atEnd']>> {
    const rule: AnyRule = this.#rule;
    return rule.judges === 'requests' ? rule.atEnd?.(seen) : undefined;
  }

  #otherClient(seen: Seen): string | undefined {
    const rule: AnyRule = this.#rule;
    return rule.judges === 'requests' ? undefined : rule.otherClient?.(seen);
  }

  /**
   * Settles the waiting exchanges whose twin has succeeded. At the end of the history (`atEnd`), also settles findings
   * that a later decline could have explained.
   */
  #settleWaiting(seen: Seen, atEnd: boolean): void {
    const { settled, waiting, declined, broke } = this.#ripe(seen, atEnd);
    this.#broke ??= broke;
    this.#waiting = waiting;
    this.#declined ??= declined;
    for (const { finding, exchange } of settled) this.#settle(finding, exchange);
  }

  /** Sorts the waiting exchanges into those that count and those that must still wait. */
  #ripe(seen: Seen, atEnd: boolean): Ripe {
    const rule: AnyRule = this.#rule;
    const ripe: Ripe = { settled: [], waiting: [], deniedBy: undefined, declined: undefined, broke: undefined };
    if (rule.judges === 'requests') return ripe;
    for (const application of this.#waiting) {
      const { exchange, awaitsHouseRule } = application;
      if (awaitsHouseRule && seen.houseRules.declined(exchange, seen.successes)) {
        ripe.declined ??= declinedBy(exchange);
        continue;
      }
      let twin: Twin | undefined;
      try {
        twin = rule.twin?.(exchange, seen);
      } catch (error) {
        ripe.broke ??= brokenBy(error, rule, exchange);
        continue;
      }
      if (twin?.succeeded === false) ripe.deniedBy ??= twin.promisedBy;
      if (twin?.succeeded === false || (awaitsHouseRule && !atEnd)) ripe.waiting.push(application);
      else ripe.settled.push(application);
    }
    return ripe;
  }

  #settle(finding: Finding | undefined, exchange?: Exchange): void {
    this.#tally.add(finding, exchange);
    if (finding !== undefined && finding.refutable === undefined) this.#onFinding?.(this.#rule.id, finding);
  }
}

interface Ripe {
  readonly settled: WaitingApplication[];
  readonly waiting: WaitingApplication[];
  /** The requirement that guarantees the success of the first twin that has not succeeded. */
  deniedBy: RequirementId | undefined;
  declined: string | undefined;
  broke: Judgement['broke'];
}

function brokenBy(error: unknown, rule: AnyRule, exchange: Exchange): NonNullable<Judgement['broke']> {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { reason: `internal error in the rule ${rule.id}: ${what}`, exchange };
}

/** Counts and findings of a rule. */
class Tally {
  readonly findings: Finding[] = [];
  readonly unconfirmed: Finding[] = [];
  readonly byOthers: Finding[] = [];
  tested = 0;
  /** Number of findings that are not kept. */
  more = 0;
  witness: Exchange | undefined;

  add(finding: Finding | undefined, exchange?: Exchange): void {
    const by = finding?.refutable?.by;
    if (by !== 'others') this.tested += 1;
    if (finding === undefined) {
      if (exchange !== undefined && sizeOf(exchange) < sizeOf(this.witness)) this.witness = exchange;
      return;
    }
    const list = by === 'others' ? this.byOthers : by === 'repetition' ? this.unconfirmed : this.findings;
    if (list.length < mostFindings) list.push(finding);
    else if (list === this.findings) this.more += 1;
  }

  copy(): Tally {
    const copy = new Tally();
    copy.findings.push(...this.findings);
    copy.unconfirmed.push(...this.unconfirmed);
    copy.byOthers.push(...this.byOthers);
    copy.tested = this.tested;
    copy.witness = this.witness;
    copy.more = this.more;
    return copy;
  }
}

/** Length of what a reader of an exchange has to read. */
function sizeOf(exchange: Exchange | undefined): number {
  if (exchange === undefined) return Number.POSITIVE_INFINITY;
  const { request, response } = exchange;
  return request.url.length + (request.body?.length ?? 0) + (response?.text.length ?? 0);
}

/** Whether a rule judges what a response decides, and not its form. */
const judgesOutcomes = ({ judges }: Rule): boolean => judges === undefined || judges === 'the arguments';

/** Whether the service may have declined by its own rule what a finding is about, unless its success is promised. */
function mayBeByHouseRule(rule: Rule, exchange: Completed, { want }: Finding): boolean {
  const isPromised = isRecord(want) && want.ok === true && !isSelective(exchange) && !requestsProposal(exchange);
  return judgesOutcomes(rule) && declinedWith(exchange) !== undefined && !isPromised;
}

/** Describes how the service declined a request by its own rule. Returns undefined if it did not. */
function declinedBy(exchange: Completed): string | undefined {
  const code = declinedWith(exchange);
  return code === undefined ? undefined : `${exchange.request.tool} declined with code ${brief(code)}`;
}

/** Returns the exchange with a reason, if the rule applies to it and only the status prevents a judgment. */
function unjudgedBy(rule: Rule, exchange: Completed, seen: Seen): Judgement['unjudged'] {
  const { odd, request, response } = exchange;
  // Odd exchanges go beyond the specification, and unread responses were too large.
  if (odd || response.unread !== undefined) return undefined;
  return rule.applies(exchange, seen) ? { reason: statusReason(request.tool, response.status), exchange } : undefined;
}
