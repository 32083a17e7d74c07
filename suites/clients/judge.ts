import { type ClientRuleId, clientRules as texts } from '../../fixtures/client-rules.ts';
import { judgeAll } from '../evidence/judge.ts';
import type { Judgement } from '../evidence/rule-judge.ts';
import type { Finding } from '../expectations/finding.ts';
import type { ClientRule } from '../expectations/rule.ts';
import type { History } from '../history/history.ts';
import type { Status, Verdict } from '../result.ts';
import { clientRules } from './index.ts';

/** Result of one rule for clients. */
export interface JudgedRule {
  readonly id: ClientRuleId;
  readonly status: Status;
  /** Why the rule was not tested or could not be judged. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

/** Results of all rules for one client. */
export interface JudgedClient {
  readonly verdict: Exclude<Verdict, 'partial'>;
  readonly requirements: readonly JudgedRule[];
}

/** Judges one client by all its histories, in order. */
export function judgeClient(histories: readonly History[]): JudgedClient {
  const judgements = new Map(judgeAll(clientRules, histories).map((judgement) => [judgement.id, judgement]));
  const requirements = clientRules.map(({ id }) => judgedRule(id, judgements.get(id)));
  const has = (status: Status) => requirements.some((requirement) => requirement.status === status);
  const isTested = requirements.some(({ status }) => status !== 'not-tested');
  const verdict = has('failed') ? 'non-conformant' : has('errored') || !isTested ? 'inconclusive' : 'conformant';
  return { verdict, requirements };
}

function judgedRule(id: ClientRuleId, judgement: Judgement<ClientRule> | undefined): JudgedRule {
  const { level, triedBy } = texts[id];
  if (judgement === undefined) return { id, status: 'not-tested', reason: triedBy, findings: [] };
  const { tested, findings, broke, prevented = triedBy } = judgement;
  if (findings.length > 0) return { id, status: level === 'must' ? 'failed' : 'warned', findings };
  if (broke !== undefined) return { id, status: 'errored', reason: broke.reason, findings };
  if (tested > 0) return { id, status: 'passed', findings };
  return { id, status: 'not-tested', reason: prevented, findings };
}
