import { must, type RequirementId, type Severity, should } from '../../fixtures/requirements/model.ts';
import { complete, type Finding, type KitFinding } from '../expectations/finding.ts';
import type { Rule } from '../expectations/rule.ts';
import type { Completed } from '../history/exchange.ts';
import type { Seen } from '../situations/seen.ts';
import type { Broken } from '../situations/violations.ts';
import { type Answers, check, type Mismatch } from './answers.ts';
import type { Named, Sent, Who } from './situation.ts';
import { inWords } from './words.ts';

/** The sentence of a requirement, with its level, source and severity (default: `contract`). */
export type Sentence = { readonly source: string; readonly severity?: Severity | undefined } & (
  | { readonly must: string; readonly should?: never }
  | { readonly should: string; readonly must?: never }
);

/** What a response must be: one of the allowed answers, or anything for which `expect` returns no finding. */
type Expectation = (Answered & { readonly expect?: never }) | Compared;

interface Answered {
  readonly answers: Answers | ((exchange: Completed, seen: Seen) => Answers);
  /** What to change if the response differs. */
  readonly hint: string | ((exchange: Completed, mismatch: Mismatch) => string);
}

interface Compared {
  /** Compares the response with others, or with what no answer can say. */
  readonly expect: (exchange: Completed, seen: Seen) => KitFinding | undefined;
  readonly answers?: never;
  readonly hint?: never;
}

/** The part of a row that several requirements share. */
export type Judging = Omit<Rule, 'id' | 'requirement' | 'expect'> & Expectation;

/** A requirement: the sentence of the specification, the exchanges that it covers, and what it expects of them. */
type Row = Sentence & Judging;

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
  Omit<Judging, 'applies' | 'expect'> &
  Answered & {
    readonly id: RequirementId;
    readonly when: When;
  };

/** Returns the rule of a requirement. */
export function row(id: RequirementId, parts: Row): Rule {
  const { must: demand, should: advice, source, severity, answers, hint, expect, ...judging } = parts;
  const requirement =
    demand === undefined ? should(id, advice ?? '', source, severity) : must(id, demand, source, severity);
  return {
    id,
    requirement,
    ...judging,
    expect(exchange, seen) {
      const finding =
        expect === undefined ? differing(exchange, listed(answers, exchange, seen), hint) : expect(exchange, seen);
      return finding && complete(finding, exchange);
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
