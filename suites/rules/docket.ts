import { refusalCodes } from '../../fixtures/contract/codes.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { isRole, refusedRoles } from '../../fixtures/roles.ts';
import { body, type Completed, type Exchange, isCompleted, isRefusal } from '../history/exchange.ts';
import type { Knowledge } from '../history/history.ts';
import { brief } from '../json.ts';
import type { Fact } from './doubts.ts';
import { type Finding, timesToCount } from './finding.ts';
import { declinedWith } from './match/declined.ts';
import { namesField } from './match/issues.ts';
import type { AnyRule, ClientRule, Rule } from './rule.ts';
import type { Seen } from './seen/seen.ts';

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

/** A response that says something about the requirement at hand: a 429 or a 5xx says nothing about it. */
function isOrdinary({ odd, request, response }: Completed): boolean {
  return !odd && (request.unread ?? response.unread) === undefined && response.status !== 429 && response.status < 500;
}

/** What a response tells whatever was asked for: found out once, for all rules. */
export interface Telling {
  readonly ordinary: boolean;
  /** It refuses what others may have changed meanwhile. */
  readonly mayHaveChanged: boolean;
}

export function tellingOf(exchange: Exchange, knowledge: Knowledge): Telling {
  if (!isCompleted(exchange)) return { ordinary: false, mayHaveChanged: false };
  return {
    ordinary: isOrdinary(exchange) && !mayBeClosed(exchange, knowledge),
    mayHaveChanged: mayHaveChanged(exchange, knowledge),
  };
}

/** Whether somebody may have closed the API to the key meanwhile; a key without a known role may expire. */
function mayBeClosed({ sender, response }: Completed, { complete }: Knowledge): boolean {
  if ((response.status !== 401 && response.status !== 403) || sender.kind !== 'key') return false;
  const isRefused = refusedRoles.some((role) => role === sender.role);
  return !isRefused && (!complete || !isRole(String(sender.role)));
}

/** Arguments that name what may be gone. */
const whatMayGo = ['workspace', 'board', 'kind', 'id'];

/** Whether somebody may have changed meanwhile what a refusal is about. */
function mayHaveChanged(exchange: Completed, { complete }: Knowledge): boolean {
  if (complete || !isRefusal(exchange)) return false;
  const { issues } = body(exchange);
  const names = (field: string) => namesField(exchange, field, 'path or message') === undefined;
  return !isRefusal(exchange, refusalCodes.invalidArguments) || !Array.isArray(issues) || whatMayGo.some(names);
}

/** One rule with what it has said so far. */
export class Docket<R extends AnyRule> {
  readonly #rule: R;
  readonly #findings: Finding[] = [];
  readonly #suspicions: Finding[] = [];
  readonly #shaky: Finding[] = [];
  #waiting: Waiting[] = [];
  #turnedAway = 0;
  readonly #onFinding: OnFinding<R> | undefined;
  readonly #lacks = new Set<Fact>();
  #tested = 0;
  #more = 0;
  #declined: string | undefined;
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
    if (rule.applies(exchange, seen)) this.#settle(rule.expect(exchange, seen));
  }

  #enterResponse(rule: Rule, exchange: Completed, seen: Seen, telling: Telling, doubts: Set<Fact>): void {
    if (rule.everyResponse !== true && !telling.ordinary) return;
    if (rule.unlessChanged === true && telling.mayHaveChanged) return;
    if (!rule.applies(exchange, seen)) {
      for (const fact of doubts) this.#lacks.add(fact);
      return;
    }
    if (rule.mayDecline?.(exchange) === true && this.#isDeclined(exchange)) return;
    const finding = rule.expect(exchange, seen);
    // Whether others are declined alike may show later.
    const isClear = finding === undefined || rule.unlessHouseRule !== true || declinedWith(exchange) === undefined;
    if (isClear && (rule.twin?.(exchange, seen).succeeded ?? true)) this.#settle(finding);
    else this.#wait({ exchange, finding }, seen);
  }

  /** Where there is no room, the twins of those that wait may have succeeded: looking each time would take long. */
  #wait(waiting: Waiting, seen: Seen): void {
    if (this.#waiting.length >= mostWaiting) {
      if (this.#turnedAway % looksApart === 0) this.#settleWaiting(seen);
      this.#turnedAway += 1;
    }
    if (this.#waiting.length < mostWaiting) this.#waiting.push(waiting);
  }

  #isDeclined(exchange: Completed): boolean {
    const code = declinedWith(exchange);
    if (code !== undefined) this.#declined ??= `${exchange.request.tool} declined with code ${brief(code)}`;
    return code !== undefined;
  }

  /** Settles what waited for the end of a history. */
  end(seen: Seen): void {
    this.#settleWaiting(seen);
    const shown = this.#atEnd(seen);
    if (shown !== undefined) this.#settle(shown.finding);
  }

  close(seen: Seen): Judgement<R> {
    const deniedBy = this.#settleWaiting(seen);
    const shown = this.#atEnd(seen);
    const shaky = this.#shaky.length >= timesToCount && !this.#isDisturbed(seen) ? this.#shaky : [];
    const tested = this.#tested + shaky.length + (shown === undefined ? 0 : 1);
    return {
      id: this.#rule.id,
      tested,
      findings: [...this.#findings, ...shaky, ...(shown?.finding === undefined ? [] : [shown.finding])],
      more: this.#more,
      suspicions: this.#suspicions,
      lacks: tested > 0 ? [] : [...this.#lacks],
      ...(tested > 0 || deniedBy === undefined ? {} : { deniedBy }),
      ...(tested > 0 || this.#declined === undefined ? {} : { declined: this.#declined }),
      ...(this.#broke === undefined ? {} : { broke: this.#broke }),
    };
  }

  #atEnd(seen: Seen): ReturnType<NonNullable<ClientRule['atEnd']>> {
    const rule: AnyRule = this.#rule;
    return 'judges' in rule ? rule.atEnd?.(seen) : undefined;
  }

  #isDisturbed(seen: Seen): boolean {
    const rule: AnyRule = this.#rule;
    return !('judges' in rule) && rule.disturbed?.(seen) === true;
  }

  /** Settles applications whose twin has succeeded by now. Returns the requirement that denies the others. */
  #settleWaiting(seen: Seen): RequirementId | undefined {
    const rule: AnyRule = this.#rule;
    if ('judges' in rule) return undefined;
    let deniedBy: RequirementId | undefined;
    this.#waiting = this.#waiting.filter(({ exchange, finding }) => {
      if (rule.unlessHouseRule === true && seen.houseRules.declined(exchange)) return !this.#isDeclined(exchange);
      const twin = rule.twin?.(exchange, seen);
      if (twin?.succeeded === false) {
        deniedBy ??= twin.promisedBy;
        return true;
      }
      this.#settle(finding);
      return false;
    });
    return deniedBy;
  }

  #settle(finding: Finding | undefined): void {
    if (finding?.shaky === true) {
      if (this.#shaky.length < mostFindings) this.#shaky.push(finding);
      return;
    }
    this.#tested += 1;
    if (finding === undefined) return;
    if (finding.uncertain === undefined) this.#onFinding?.(this.#rule.id, finding);
    const list = finding.uncertain === undefined ? this.#findings : this.#suspicions;
    if (list.length < mostFindings) list.push(finding);
    else if (list === this.#findings) this.#more += 1;
  }
}
