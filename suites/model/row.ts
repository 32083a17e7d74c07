import { must, type RequirementId, type Severity } from '../../fixtures/requirements/model.ts';
import { type KitJudging, type Rule, rule } from '../expectations/rule.ts';
import type { Completed } from '../history/exchange.ts';
import type { Seen } from '../situations/seen.ts';
import { type Answers, check } from './answers.ts';
import { inWords } from './words.ts';

/** A requirement, as data: the sentence of the specification, when it applies, and which answers it allows. */
export interface Row {
  readonly must: string;
  readonly source: string;
  readonly severity?: Severity | undefined;
  when(exchange: Completed, seen: Seen): boolean;
  readonly answers: Answers | ((exchange: Completed, seen: Seen) => Answers);
  /** What must be known before a mismatch counts. */
  readonly control?: KitJudging['twin'];
  readonly hint: string;
  /** The responses that the row judges beyond ordinary ones: every response, or every refusal. */
  readonly judges?: 'every response' | 'every refusal';
}

/** Returns a row as one of the rules that judge histories. */
export function row(id: RequirementId, parts: Row): Rule {
  const { severity, when, answers, control, hint, judges } = parts;
  return rule(must(id, parts.must, parts.source, severity), {
    applies: when,
    ...(control === undefined ? {} : { twin: control }),
    everyResponse: judges === 'every response',
    judgesRefusals: judges === 'every refusal',
    expect: (exchange, seen) => {
      const mismatch = check(typeof answers === 'function' ? answers(exchange, seen) : answers, exchange);
      return mismatch && { ...mismatch, ...inWords(mismatch), hint };
    },
  });
}
