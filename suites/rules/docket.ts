import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Completed, type Exchange, isCompleted } from '../history/exchange.ts';
import { brief } from '../json.ts';
import { statusReason } from '../named.ts';
import type { Fact } from './doubts.ts';
import { type Finding, timesToCount } from './finding.ts';
import { declinedWith } from './match/declined.ts';
import type { AnyRule, ClientRule, Rule } from './rule.ts';
import type { Seen } from './seen/seen.ts';
import type { Telling } from './telling.ts';

/** What a rule said of a history. */
export interface Judgement<R extends AnyRule = Rule> {
  readonly id: R['id'];
  /** How often it applied with a twin that succeeded. */
  readonly tested: number;
  readonly findings: readonly Finding[];
  /** How many findings there are beside these. */
  readonly more: number;
  /** Findings that are not certain without repeating their exchanges. */
  readonly suspicions: readonly Finding[];
  /** The requirement that promises the twin, where only its failure kept the rule from being tested. */
  readonly deniedBy?: RequirementId;
  /** Facts without which it could not be said, where only they kept the rule from being tested. */
  readonly lacks: readonly Fact[];
  /** How the service declined by its own rule, where only that kept the rule from being tested. */
  readonly declined?: string;
  /** What else kept the rule from being tested, such as another client. */
  readonly prevented?: string;
  /** The first response that shows nothing about the requirement, if no response showed more. */
  readonly unjudged?: { readonly reason: string; readonly exchange: Exchange };
  /** A fault of the rule itself, with the exchange that it met. */
  readonly broke?: { readonly reason: string; readonly exchange: Exchange };
}

/** Applications of a rule that wait for their twin, and no more of them than this. */
const mostWaiting = 200;

/** Of those for which there is no room, one in so many makes the judge look for room. */
const looksApart = 50;

/** Findings of a rule that are kept; the others are counted. */
const mostFindings = 1000;

export type OnFinding<R extends AnyRule = Rule> = (id: R['id'], finding: Finding) => void;

interface Waiting {
  readonly exchange: Completed;
  readonly finding: Finding | undefined;
}

/** One rule with what it has said so far. */
export class Docket<R extends AnyRule> {
  readonly #rule: R;
  readonly #tally = new Tally();
  #waiting: Waiting[] = [];
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

  enter(exchange: Exchange, seen: Seen, telling: Telling, doubts: Set<Fact>): void {
    const rule: AnyRule = this.#rule;
    if (doubts.size > 0) doubts.clear();
    try {
      if ('judges' in rule) this.#enterRequest(rule, exchange, seen);
      else if (isCompleted(exchange)) this.#enterResponse(rule, exchange, seen, telling, doubts);
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#broke ??= { reason: `internal error in the rule ${rule.id}: ${reason}`, exchange };
    }
  }

  #enterRequest(rule: ClientRule, exchange: Exchange, seen: Seen): void {
    if (!rule.applies(exchange, seen)) return;
    const finding = rule.expect(exchange, seen);
    const prevented = finding && rule.prevented?.(seen);
    this.#prevented ??= prevented;
    if (prevented === undefined) this.#settle(finding);
  }

  #enterResponse(rule: Rule, exchange: Completed, seen: Seen, telling: Telling, doubts: Set<Fact>): void {
    if (telling.ofIntermediary || (rule.everyResponse !== true && !telling.ordinary)) {
      if (this.#tally.tested === 0 && this.#unjudged === undefined) this.#unjudged = unjudgedBy(rule, exchange, seen);
      return;
    }
    if (rule.unlessChanged === true && telling.mayHaveChanged) return;
    if (!rule.applies(exchange, seen)) {
      for (const fact of doubts) this.#lacks.add(fact);
      return;
    }
    const declined = rule.mayDecline?.(exchange) === true ? declinedBy(exchange) : undefined;
    this.#declined ??= declined;
    if (declined !== undefined) return;
    const finding = rule.expect(exchange, seen);
    const judgesForm = rule.everyResponse === true || rule.judgesRefusals === true;
    if (finding !== undefined && telling.refusesViolation && !judgesForm) return;
    const isClear = finding === undefined || !awaitsHouseRule(rule, exchange);
    if (isClear && (rule.twin?.(exchange, seen).succeeded ?? true)) this.#settle(finding);
    else this.#wait({ exchange, finding }, seen);
  }

  /** Where there is no room, the twins of those that wait may have succeeded: looking each time would take long. */
  #wait(waiting: Waiting, seen: Seen): void {
    if (this.#waiting.length >= mostWaiting) {
      if (this.#turnedAway % looksApart === 0) this.#settleWaiting(seen, false);
      this.#turnedAway += 1;
    }
    if (this.#waiting.length < mostWaiting) this.#waiting.push(waiting);
  }

  /** Settles for good what waited for the end of a history. */
  end(seen: Seen): void {
    this.#settleWaiting(seen, true);
    const shown = this.#atEnd(seen);
    if (shown !== undefined) this.#settle(shown.finding);
  }

  /** What the rule says if the history ends here. Changes nothing, so it can be asked at any time. */
  judgement(seen: Seen): Judgement<R> {
    const { settled, deniedBy, declined = this.#declined } = this.#ripe(seen, true);
    const tally = this.#tally.copy();
    for (const finding of settled) tally.add(finding);
    const shown = this.#atEnd(seen);
    const disturbed = this.#disturbed(seen);
    const rule: AnyRule = this.#rule;
    const times = ('judges' in rule ? undefined : rule.timesToCount) ?? timesToCount;
    const shaky = tally.shaky.length >= times && disturbed === undefined ? tally.shaky : [];
    const settledTimes = tally.tested + shaky.length + (shown === undefined ? 0 : 1);
    const tested = this.#prevented === undefined ? settledTimes : 0;
    const prevented = disturbed ?? this.#prevented;
    return {
      id: this.#rule.id,
      tested,
      findings: [...tally.findings, ...shaky, ...(shown?.finding === undefined ? [] : [shown.finding])],
      more: tally.more,
      suspicions: tally.suspicions,
      lacks: tested > 0 ? [] : [...this.#lacks],
      ...(tested > 0 || deniedBy === undefined ? {} : { deniedBy }),
      ...(tested > 0 || declined === undefined ? {} : { declined }),
      ...(tested > 0 || prevented === undefined ? {} : { prevented }),
      ...(tested > 0 || this.#unjudged === undefined ? {} : { unjudged: this.#unjudged }),
      ...(this.#broke === undefined ? {} : { broke: this.#broke }),
    };
  }

  #atEnd(seen: Seen): ReturnType<NonNullable<ClientRule['atEnd']>> {
    const rule: AnyRule = this.#rule;
    return 'judges' in rule ? rule.atEnd?.(seen) : undefined;
  }

  #disturbed(seen: Seen): string | undefined {
    const rule: AnyRule = this.#rule;
    return 'judges' in rule ? undefined : rule.disturbed?.(seen);
  }

  /** Settles for good the applications whose twin has succeeded by now, and at the end those that may be declined. */
  #settleWaiting(seen: Seen, isOver: boolean): void {
    const { settled, waiting, declined } = this.#ripe(seen, isOver);
    this.#waiting = waiting;
    this.#declined ??= declined;
    for (const finding of settled) this.#settle(finding);
  }

  /** Which waiting applications count, and what keeps the others waiting. */
  #ripe(seen: Seen, isOver: boolean): Ripe {
    const rule: AnyRule = this.#rule;
    const ripe: Ripe = { settled: [], waiting: [], deniedBy: undefined, declined: undefined };
    if ('judges' in rule) return ripe;
    for (const application of this.#waiting) {
      const { exchange, finding } = application;
      if (rule.unlessHouseRule === true && seen.houseRules.declined(exchange)) {
        ripe.declined ??= declinedBy(exchange);
        continue;
      }
      const twin = rule.twin?.(exchange, seen);
      if (twin?.succeeded === false) ripe.deniedBy ??= twin.promisedBy;
      const mayBeHouseRule = !isOver && finding !== undefined && awaitsHouseRule(rule, exchange);
      if (twin?.succeeded === false || mayBeHouseRule) ripe.waiting.push(application);
      else ripe.settled.push(finding);
    }
    return ripe;
  }

  #settle(finding: Finding | undefined): void {
    this.#tally.add(finding);
    if (finding !== undefined && isCertain(finding)) this.#onFinding?.(this.#rule.id, finding);
  }
}

interface Ripe {
  readonly settled: (Finding | undefined)[];
  readonly waiting: Waiting[];
  /** The requirement that denies the twin of the first that still waits. */
  deniedBy: RequirementId | undefined;
  declined: string | undefined;
}

const isCertain = ({ shaky, uncertain }: Finding) => shaky !== true && uncertain === undefined;

/** Counts what a rule said. */
class Tally {
  readonly findings: Finding[] = [];
  readonly suspicions: Finding[] = [];
  readonly shaky: Finding[] = [];
  tested = 0;
  /** Findings beyond those that are kept. */
  more = 0;

  add(finding: Finding | undefined): void {
    const isShaky = finding?.shaky === true;
    if (!isShaky) this.tested += 1;
    if (finding === undefined) return;
    const list = isShaky ? this.shaky : isCertain(finding) ? this.findings : this.suspicions;
    if (list.length < mostFindings) list.push(finding);
    else if (list === this.findings) this.more += 1;
  }

  copy(): Tally {
    const copy = new Tally();
    copy.findings.push(...this.findings);
    copy.suspicions.push(...this.suspicions);
    copy.shaky.push(...this.shaky);
    copy.tested = this.tested;
    copy.more = this.more;
    return copy;
  }
}

/** Whether a later request may show that the service declined this one by a rule of its own. */
function awaitsHouseRule({ unlessHouseRule }: Rule, exchange: Completed): boolean {
  return unlessHouseRule === true && declinedWith(exchange) !== undefined;
}

/** How the service declined a request by its own rule; undefined if it did not. */
function declinedBy(exchange: Completed): string | undefined {
  const code = declinedWith(exchange);
  return code === undefined ? undefined : `${exchange.request.tool} declined with code ${brief(code)}`;
}

/** Set if the rule would have judged the exchange, had it another status. */
function unjudgedBy(rule: Rule, exchange: Completed, seen: Seen): Judgement['unjudged'] {
  const { odd, request, response } = exchange;
  // Other exchanges go beyond the specification, or their responses were too large.
  if (odd || response.unread !== undefined) return undefined;
  return rule.applies(exchange, seen) ? { reason: statusReason(request.tool, response.status), exchange } : undefined;
}
