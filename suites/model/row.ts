import { must, type RequirementId, type Severity, should } from '../../fixtures/requirements/model.ts';
import { type Rule, rule, type Twin } from '../expectations/rule.ts';
import type { Completed } from '../history/exchange.ts';
import type { Seen } from '../situations/seen.ts';
import type { Broken } from '../situations/violations.ts';
import { type Answers, check, type Mismatch } from './answers.ts';
import type { Named, Sent, Who } from './situation.ts';
import { inWords } from './words.ts';

/** What a request or response must be for a row to apply, and which answers the row allows. */
export interface Judged {
  readonly source: string;
  readonly severity?: Severity | undefined;
  readonly answers: Answers | ((exchange: Completed, seen: Seen) => Answers);
  /** What must be known before a mismatch counts. */
  readonly control?: (exchange: Completed, seen: Seen) => Twin;
  readonly hint: string | ((exchange: Completed, mismatch: Mismatch) => string);
  /**
   * What the row judges beyond ordinary outcomes: the form of every response, the form of every refusal, or the refusal
   * of arguments that violate the schema.
   */
  readonly judges?: 'every response' | 'every refusal' | 'the arguments';
}

/** The sentence of a row, with its level. */
export type Sentence =
  | { readonly must: string; readonly should?: never }
  | { readonly should: string; readonly must?: never };

/** A requirement, as data: the sentence of the specification, when it applies, and which answers it allows. */
export type Row = Judged & Sentence & { when(exchange: Completed, seen: Seen): boolean };

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

/** A requirement on requests with something wrong. */
export type Step = Judged & Sentence & { readonly id: RequirementId; readonly when: When };

/** Returns a row as one of the rules that judge histories. */
export function row(id: RequirementId, parts: Row): Rule {
  const { source, severity, when, answers, control, hint, judges } = parts;
  const ofArguments = judges === 'the arguments';
  const requirement =
    parts.must === undefined ? should(id, parts.should, source, severity) : must(id, parts.must, source, severity);
  return rule(requirement, {
    applies: when,
    ...(control === undefined ? {} : { twin: control }),
    everyResponse: judges === 'every response',
    judgesRefusals: judges === 'every refusal' || ofArguments,
    unlessChanged: ofArguments,
    // A busy service may decline before it reads the arguments.
    unlessDeclinedElsewhere: ofArguments,
    expect: (exchange, seen) => {
      const mismatch = check(typeof answers === 'function' ? answers(exchange, seen) : answers, exchange);
      if (mismatch === undefined) return undefined;
      const advice = typeof hint === 'function' ? hint(exchange, mismatch) : hint;
      return { ...mismatch, ...inWords(mismatch), hint: advice };
    },
  });
}
