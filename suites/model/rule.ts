import { isToolName, tools } from '../../fixtures/contract/tools.ts';
import {
  type Requirement,
  type RequirementId,
  requirementOf,
  type Sentence,
} from '../../fixtures/requirements/model.ts';
import { type Completed, type Exchange, isCompleted } from '../exchange/exchange.ts';
import { withoutUndefined } from '../json.ts';
import { type Answers, check } from './answers.ts';
import { complete, type Finding, type Hint, type KitFinding } from './finding.ts';
import type { Named, Sent, Who } from './situation.ts';
import type { Wanted } from './world/house-rules.ts';
import type { Seen } from './world/seen.ts';
import type { Broken } from './world/violations.ts';

/**
 * Whether another request succeeded, which must happen before a finding counts: usually the judged request without its
 * error. A server that refuses both proves nothing about the error. If the control failed, the requirement that
 * guarantees its success, or false if none does.
 */
export type Control = boolean | RequirementId;

/** A finding; null if the requirement is satisfied, and undefined if it does not apply. */
export type Judged<F = Finding> = F | null | undefined;

/**
 * What a rule judges beyond ordinary responses.
 *
 * - `every response`: also 429, 5xx, unread bodies, and responses to odd requests
 * - `chunked bodies`: every response to a request whose body comes in chunks. No other rule judges these requests.
 */
type Judges = 'every response' | 'chunked bodies';

/**
 * One requirement, judged on every exchange of a history. A rule depends on the history only, not on its source.
 *
 * A finding counts at once, with these exceptions. A finding that must wait is judged again at the end of the history.
 *
 * | Member | A finding does not count |
 * | --- | --- |
 * | (every rule) | on a 4xx or 5xx to a request that intermediaries refuse: very long, or with control characters |
 * | `control` | until the control has succeeded |
 * | no `judges` | on a 429, a 5xx, an odd or unread exchange, or if the key may have lost its access |
 * | no `judges`, a decision | on `invalid_arguments` for arguments that violate the schema |
 * | no `judges`, a decision | on a refusal that a change by another client may explain; only in recorded traffic |
 * | no `judges`, a decision | on a refusal by the service's own rule, which declines at some times only |
 * | decisive, a success | on a refusal by the service's own rule of a day, a title, a format or a word |
 * | `refutable` by `others` | before so many `times`, and never if the `balance` shows another client |
 * | `refutable` by `repetition` | until it persists through six repetitions |
 *
 * A decision is what the server decided, and not a header or a member of the response. An exchange is odd if its
 * request leaves the specification, and unread if a body was too large to read.
 */
export interface Rule {
  readonly id: RequirementId;
  readonly requirement: Requirement;
  /** Judges an exchange, given the earlier ones. */
  judge(exchange: Exchange, seen: Seen): Judged;
  /** Returns the control. The judge checks again at the end of the history whether the control has succeeded. */
  control?(exchange: Completed, seen: Seen): Control;
  readonly judges?: Judges;
}

/** Returns the requirement that guarantees the success of a plain request of this tool. */
export function promisedBy(tool: string | null): RequirementId {
  return tools[tool !== null && isToolName(tool) ? tool : 'schedule.read'].success;
}

/** Control: the same request with any texts, which succeeded. `how` changes what must be the same. */
export function sameRequest({ sender, request }: Completed, seen: Seen, how: Partial<Wanted> = {}): Control {
  const wanted = { role: sender.role, tool: request.tool ?? '', args: request.args ?? {}, ...how };
  return seen.successes.has(wanted) || promisedBy(wanted.tool);
}

/** What a response must be: one of the allowed answers. */
interface Answered {
  readonly answers: Answers | ((exchange: Completed, seen: Seen) => Answers);
  readonly expect?: never;
}

/** What a response must be: anything for which `expect` returns no finding. */
interface Compared<Facts> {
  /** Compares the response with others, or with what no answer can say. */
  readonly expect: (exchange: Completed, facts: Facts, seen: Seen) => KitFinding | false | undefined;
  readonly answers?: never;
}

/** The part of a row that several requirements share. */
export type Judging<Facts = true> = Omit<Rule, 'id' | 'requirement' | 'judge'> & {
  /**
   * Whether the requirement covers an exchange, given the earlier ones. Returns the facts that `expect` compares the
   * response with; true if the exchange says everything.
   */
  readonly applies: (exchange: Completed, seen: Seen) => Facts | false | undefined;
  readonly hint: Hint;
} & (Answered | Compared<Facts>);

/** A requirement: the sentence of the specification, the exchanges that it covers, and what it expects of them. */
type Row<Facts> = Sentence & Judging<Facts>;

/** Situations, as data. Members that are absent may have any value. */
export interface When {
  readonly who: readonly Who[];
  readonly tool: readonly Named[];
  readonly body: readonly Sent[];
  readonly presents?: boolean;
  /** The violation of the schema that the row covers. */
  readonly broken?: {
    /** Default: any field. */
    readonly field?: string;
    readonly how: Broken['how'];
    /** Which values the row covers; default: all. */
    readonly only?: (value: unknown) => boolean;
  };
}

/** A requirement on requests with something wrong. The first step whose situation covers a request decides. */
export type Step = Sentence &
  Omit<Rule, 'requirement' | 'judge'> &
  Answered & {
    readonly when: When;
    readonly hint: Hint;
  };

/** Returns the rule of a requirement. */
export function row<Facts>(id: RequirementId, parts: Row<Facts>): Rule {
  const { applies, answers, hint, expect, control, judges } = parts;
  return {
    id,
    requirement: requirementOf(id, parts),
    ...withoutUndefined({ control, judges }),
    judge(exchange, seen) {
      const facts = isCompleted(exchange) ? applies(exchange, seen) : undefined;
      if (!isCompleted(exchange) || facts === undefined || facts === false) return undefined;
      const finding =
        expect === undefined
          ? check(typeof answers === 'function' ? answers(exchange, seen) : answers, exchange)
          : expect(exchange, facts, seen);
      return finding ? complete(finding, exchange, hint) : null;
    },
  };
}
