import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { type Completed, type Exchange, header, isCompleted } from '../../exchange/exchange.ts';
import { brief, isRecord, withoutUndefined } from '../../json.ts';
import { statusReason } from '../../usage/counted.ts';
import type { Finding } from '../finding.ts';
import type { Control, Judged, Rule } from '../rule.ts';
import { declinedWith, isSelective } from '../world/house-rules.ts';
import { requestsProposal } from '../world/ids.ts';
import type { Seen } from '../world/seen.ts';
import { brokenBy, type Fact, type Judgement, Tally } from './judgement.ts';
import { type Evidence, isConclusive, isExcused, isOfDecision } from './response-evidence.ts';

/** Most exchanges of a rule that wait for their control. Others are not judged, so that memory stays bounded. */
const mostWaiting = 200;

export type OnFinding = (id: RequirementId, finding: Finding) => void;

interface WaitingApplication {
  readonly exchange: Completed;
  readonly finding: Finding | null;
  /** Whether a later request may show that the service declined this one by its own rule. */
  readonly awaitsHouseRule: boolean;
}

/** Judges responses by one rule. */
export class ResponseJudge {
  readonly id: RequirementId;
  readonly #rule: Rule;
  readonly #seen: Seen;
  readonly #onFinding: OnFinding | undefined;
  readonly #tally = new Tally();
  #waiting: WaitingApplication[] = [];
  readonly #lacks = new Set<Fact>();
  #declined: string | undefined;
  #unjudged: Judgement['unjudged'];
  #broke: Judgement['broke'];

  constructor(rule: Rule, seen: Seen, onFinding?: OnFinding) {
    this.id = rule.id;
    this.#rule = rule;
    this.#seen = seen;
    this.#onFinding = onFinding;
  }

  see(exchange: Exchange, evidence: Evidence | undefined, unknown: Set<Fact>): void {
    // Clearing an empty set takes time, and most rules ask for no unknown fact.
    if (unknown.size > 0) unknown.clear();
    try {
      if (isCompleted(exchange)) this.#seeResponse(exchange, evidence, unknown);
      else this.#settle(this.#rule.judge(exchange, this.#seen), exchange);
    } catch (error) {
      this.#broke ??= brokenBy(error, this.id, exchange);
    }
  }

  #seeResponse(exchange: Completed, evidence: Evidence | undefined, unknown: Set<Fact>): void {
    const [rule, seen] = [this.#rule, this.#seen];
    if ((evidence === 'chunked bodies') !== (rule.judges === 'chunked bodies')) return;
    if (!isConclusive(rule, evidence)) {
      if (this.#tally.tested === 0 && this.#unjudged === undefined) this.#unjudged = unjudgedBy(rule, exchange, seen);
      return;
    }
    const finding = rule.judge(exchange, seen);
    if (finding === undefined) {
      for (const fact of unknown) this.#lacks.add(fact);
      return;
    }
    if (finding !== null && mayDecline(exchange, finding)) {
      this.#declined ??= declinedBy(exchange);
      return;
    }
    const isOrdinary = finding !== null && rule.judges === undefined;
    if (isOrdinary && isExcused(exchange, finding, seen.knowledge)) return;
    const awaitsHouseRule = isOrdinary && mayBeByHouseRule(exchange, finding);
    if (!awaitsHouseRule && (rule.control?.(exchange, seen) ?? true) === true) this.#settle(finding, exchange);
    else if (this.#waiting.length < mostWaiting) this.#waiting.push({ exchange, finding, awaitsHouseRule });
  }

  /** Settles the waiting exchanges whose control succeeded. */
  end(): void {
    const { settled, waiting, declined, broke } = this.#ripe();
    this.#broke ??= broke;
    this.#waiting = waiting;
    this.#declined ??= declined;
    for (const { finding, exchange } of settled) this.#settle(finding, exchange);
  }

  /** Returns the judgment as if the history ended here. Changes nothing, so callers can ask at any time. */
  judgement(): Judgement {
    const { settled, waiting, deniedBy, declined = this.#declined, broke: brokeControl } = this.#ripe();
    const tally = this.#tally.copy();
    for (const { finding, exchange } of settled) tally.add(finding, exchange);
    const pending = waiting.flatMap(({ finding }) => finding ?? []);
    const byOtherClients = [...tally.byOthers, ...pending];
    const [otherClient] = byOtherClients.flatMap((finding) => otherSpender(finding, this.#seen) ?? []);
    const broke = this.#broke ?? brokeControl;
    const { refutable } = tally.byOthers[0] ?? {};
    const isEnough = refutable?.by === 'others' && tally.byOthers.length >= refutable.times;
    const byOthers = isEnough && otherClient === undefined ? tally.byOthers : [];
    const isExplained = otherClient !== undefined && tally.byOthers.length > 0;
    const tested = isExplained ? 0 : tally.tested + byOthers.length;
    return {
      id: this.id,
      tested,
      findings: [...tally.findings, ...byOthers],
      more: tally.more,
      unconfirmed: [...tally.unconfirmed, ...(byOthers.length > 0 || otherClient !== undefined ? [] : tally.byOthers)],
      pending,
      lacks: tested > 0 ? [] : [...this.#lacks],
      ...(tested > 0 ? {} : withoutUndefined({ deniedBy, declined, prevented: otherClient, unjudged: this.#unjudged })),
      ...withoutUndefined({ broke, witness: tally.witness }),
    };
  }

  /** Sorts the waiting exchanges into those that count and those that must still wait. */
  #ripe(): Ripe {
    const seen = this.#seen;
    const ripe: Ripe = { settled: [], waiting: [], deniedBy: undefined, declined: undefined, broke: undefined };
    for (const application of this.#waiting) {
      const { exchange, awaitsHouseRule } = application;
      if (awaitsHouseRule && seen.houseRules.declined(exchange, seen.successes)) {
        ripe.declined ??= declinedBy(exchange);
        continue;
      }
      let control: Control;
      try {
        control = this.#rule.control?.(exchange, seen) ?? true;
      } catch (error) {
        ripe.broke ??= brokenBy(error, this.id, exchange);
        continue;
      }
      if (typeof control === 'string') ripe.deniedBy ??= control;
      if (control !== true) ripe.waiting.push(application);
      else ripe.settled.push(application);
    }
    return ripe;
  }

  #settle(finding: Judged, exchange: Exchange): void {
    this.#tally.add(finding, exchange);
    if (finding && finding.refutable === undefined) this.#onFinding?.(this.id, finding);
  }
}

interface Ripe {
  readonly settled: WaitingApplication[];
  readonly waiting: WaitingApplication[];
  /** The requirement that guarantees the success of the first control that has not succeeded. */
  deniedBy: RequirementId | undefined;
  declined: string | undefined;
  broke: Judgement['broke'];
}

/** Describes the evidence for another client that spends, which explains a finding on the balance. */
function otherSpender({ refutable }: Finding, { balances }: Seen): string | undefined {
  if (refutable?.by !== 'others' || refutable.balance === undefined) return undefined;
  return balances.isChangedByOthers(refutable.balance)
    ? 'the balance also changes while the run proposes and confirms nothing, so another client uses the account'
    : undefined;
}

/**
 * Whether the tool declined by the service's own rule what it may decline at any time, such as a day or a word. Nothing
 * follows from such a refusal. If the boundary refused the request, no rule of the tool did.
 */
const mayDecline = (exchange: Completed, { want, refutable }: Finding): boolean =>
  wantsSuccess(want) &&
  refutable === undefined &&
  isSelective(exchange) &&
  declinedWith(exchange) !== undefined &&
  header(exchange, responseHeaders.toolError) !== 'true';

const wantsSuccess = (want: unknown) => isRecord(want) && want.ok === true;

/** Whether the service may have declined by its own rule what a finding is about, unless its success is promised. */
function mayBeByHouseRule(exchange: Completed, finding: Finding): boolean {
  const isPromised = wantsSuccess(finding.want) && !isSelective(exchange) && !requestsProposal(exchange);
  return isOfDecision(finding) && declinedWith(exchange) !== undefined && !isPromised;
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
  return rule.judge(exchange, seen) === undefined
    ? undefined
    : { reason: statusReason(request.tool, response.status), exchange };
}
