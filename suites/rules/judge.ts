import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Completed, type Exchange, isCompleted } from '../history/exchange.ts';
import type { History, Knowledge } from '../history/history.ts';
import { brief } from '../json.ts';
import { type Finding, timesToCount } from './finding.ts';
import { declinedWith } from './match/declined.ts';
import type { Rule } from './rule.ts';
import { Seen } from './seen/seen.ts';

/** What a rule said of a history. */
export interface Judgement {
  readonly id: RequirementId;
  /** How often it applied with a twin that succeeded. */
  readonly tested: number;
  readonly findings: readonly Finding[];
  /** Findings that are not certain without repeating their exchanges. */
  readonly suspicions: readonly Finding[];
  /** The requirement that promises the twin, where only its failure kept the rule from being tested. */
  readonly deniedBy?: RequirementId;
  /** How the service declined by its own rule, where only that kept the rule from being tested. */
  readonly declined?: string;
  /** A fault of the rule itself, with the exchange that it met. */
  readonly broke?: { readonly reason: string; readonly exchange: Completed };
}

/** Applications of a rule that wait for their twin, and no more of them than this. */
const mostWaiting = 200;

/** Judges a history as it grows, by every rule. Tell it of each exchange when it is sent, and when it is received. */
export class Judge {
  readonly #seen: Seen;
  readonly #dockets: readonly Docket[];

  constructor(rules: readonly Rule[], knowledge: Knowledge) {
    this.#seen = new Seen(knowledge);
    this.#dockets = rules.map((each) => new Docket(each));
  }

  begin(exchange: Exchange): void {
    this.#seen.begin(exchange);
  }

  see(exchange: Exchange): void {
    this.#seen.add(exchange);
    if (isCompleted(exchange)) for (const docket of this.#dockets) docket.enter(exchange, this.#seen);
  }

  /** What the rules say of all that was seen, one judgement a rule. */
  judgements(): Judgement[] {
    return this.#dockets.map((docket) => docket.close(this.#seen));
  }
}

/** Judges a whole history. */
export function judge(rules: readonly Rule[], { knowledge, exchanges }: History): Judgement[] {
  const it = new Judge(rules, knowledge);
  feed(it, exchanges);
  return it.judgements();
}

/** Tells a judge of exchanges in the order in which their requests were sent and their responses received. */
export function feed(it: Judge, exchanges: readonly Exchange[]): void {
  const moments = exchanges.flatMap((exchange) => [
    { at: exchange.sentAt, turn: () => it.begin(exchange) },
    { at: exchange.receivedAt, turn: () => it.see(exchange) },
  ]);
  for (const { turn } of moments.sort((a, b) => a.at - b.at)) turn();
}

interface Waiting {
  readonly exchange: Completed;
  readonly finding: Finding | undefined;
}

/** A response that says something about the requirement at hand: a 429 or a 5xx says nothing about it. */
function isOrdinary({ odd, response }: Completed): boolean {
  return !odd && response.unread === undefined && response.status !== 429 && response.status < 500;
}

/** One rule with what it has said so far. */
class Docket {
  readonly #rule: Rule;
  readonly #findings: Finding[] = [];
  readonly #suspicions: Finding[] = [];
  readonly #shaky: Finding[] = [];
  #waiting: Waiting[] = [];
  #tested = 0;
  #declined: string | undefined;
  #broke: Judgement['broke'];

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  enter(exchange: Completed, seen: Seen): void {
    if (this.#rule.everyResponse !== true && !isOrdinary(exchange)) return;
    try {
      if (!this.#rule.applies(exchange, seen)) return;
      const code = this.#rule.mayDecline?.(exchange) === true ? declinedWith(exchange) : undefined;
      if (code !== undefined) {
        this.#declined ??= `${exchange.request.tool} declined with code ${brief(code)}`;
        return;
      }
      const finding = this.#rule.expect(exchange, seen);
      if (this.#rule.twin?.(exchange, seen).succeeded ?? true) this.#settle(finding);
      else if (this.#waiting.length < mostWaiting) this.#waiting.push({ exchange, finding });
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#broke ??= { reason: `the rule ${this.#rule.id} broke: ${reason}`, exchange };
    }
  }

  close(seen: Seen): Judgement {
    let deniedBy: RequirementId | undefined;
    this.#waiting = this.#waiting.filter(({ exchange, finding }) => {
      const twin = this.#rule.twin?.(exchange, seen);
      if (twin?.succeeded === false) {
        deniedBy ??= twin.promisedBy;
        return true;
      }
      this.#settle(finding);
      return false;
    });
    const isDisturbed = this.#rule.disturbed?.(seen) === true;
    const shaky = this.#shaky.length >= timesToCount && !isDisturbed ? this.#shaky : [];
    return {
      id: this.#rule.id,
      tested: this.#tested + shaky.length,
      findings: [...this.#findings, ...shaky],
      suspicions: this.#suspicions,
      ...(this.#tested > 0 || deniedBy === undefined ? {} : { deniedBy }),
      ...(this.#tested > 0 || this.#declined === undefined ? {} : { declined: this.#declined }),
      ...(this.#broke === undefined ? {} : { broke: this.#broke }),
    };
  }

  #settle(finding: Finding | undefined): void {
    if (finding?.shaky === true) {
      this.#shaky.push(finding);
      return;
    }
    this.#tested += 1;
    if (finding === undefined) return;
    (finding.uncertain === undefined ? this.#findings : this.#suspicions).push(finding);
  }
}
