import { must, type RequirementId, type Severity, should } from '../../fixtures/requirements/model.ts';
import { type Completed, isCompleted } from '../exchange/exchange.ts';
import { type Answers, check, type Mismatch } from './answers.ts';
import { complete, type Finding, type KitFinding } from './finding.ts';
import type { Rule } from './rule.ts';
import type { Named, Sent, Who } from './situation.ts';
import { inWords } from './words.ts';
import type { Seen } from './world/seen.ts';
import type { Broken } from './world/violations.ts';

/** The sentence of a requirement, with its level, source and severity (default: `contract`). */
export type Sentence = { readonly source: string; readonly severity?: Severity | undefined } & (
  | { readonly must: string; readonly should?: never }
  | { readonly should: string; readonly must?: never }
);

/** What a response must be: one of the allowed answers. */
interface Answered {
  readonly answers: Answers | ((exchange: Completed, seen: Seen) => Answers);
  /** What to change if the response differs. */
  readonly hint: string | ((exchange: Completed, mismatch: Mismatch) => string);
  readonly expect?: never;
}

/** What a response must be: anything for which `expect` returns no finding. */
interface Compared<Facts> {
  /** Compares the response with others, or with what no answer can say. */
  readonly expect: (exchange: Completed, facts: Facts, seen: Seen) => KitFinding | undefined;
  readonly answers?: never;
  readonly hint?: never;
}

/** The part of a row that several requirements share. */
export type Judging<Facts = true> = Omit<Rule, 'id' | 'requirement' | 'judge'> & {
  /**
   * Whether the requirement covers an exchange, given the earlier ones. Returns the facts that `expect` compares the
   * response with; true if the exchange says everything.
   */
  readonly applies: (exchange: Completed, seen: Seen) => Facts | false | undefined;
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
  };

/** Returns the rule of a requirement. */
export function row<Facts>(id: RequirementId, parts: Row<Facts>): Rule {
  const { must: demand, should: advice, source, severity, applies, answers, hint, expect, ...judging } = parts;
  const requirement =
    demand === undefined ? should(id, advice ?? '', source, severity) : must(id, demand, source, severity);
  return {
    id,
    requirement,
    ...judging,
    judge(exchange, seen) {
      const facts = isCompleted(exchange) ? applies(exchange, seen) : undefined;
      if (!isCompleted(exchange) || facts === undefined || facts === false) return undefined;
      const finding =
        expect === undefined
          ? differing(exchange, listed(answers, exchange, seen), hint)
          : expect(exchange, facts, seen);
      return finding === undefined ? null : complete(finding, exchange);
    },
  };
}

const listed = (answers: Answered['answers'], exchange: Completed, seen: Seen): Answers =>
  typeof answers === 'function' ? answers(exchange, seen) : answers;

/** Returns a finding if the response is none of the allowed answers. */
export function differing(exchange: Completed, answers: Answers, hint: Answered['hint']): Finding | undefined {
  const mismatch = check(answers, exchange);
  if (mismatch === undefined) return undefined;
  const advice = typeof hint === 'function' ? hint(exchange, mismatch) : hint;
  return { ...mismatch, ...inWords(mismatch), hint: advice, exchanges: [exchange] };
}
