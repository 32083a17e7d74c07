import { clientRules } from '../../fixtures/client-rules.ts';
import { type JudgedRule, judgeClient } from '../../suites/rules/clients/judge.ts';
import type { Finding } from '../../suites/rules/finding.ts';
import type { World } from '../worlds/world.ts';

/** One violation of the specification by a client. */
export interface ClientFinding extends Pick<Finding, 'expected' | 'actual' | 'hint'> {
  /** Numbers of events in the journal. */
  readonly exchanges: readonly number[];
}

/** What a world saw of its client, held against the rules for clients. */
export interface Judgement {
  readonly verdict: 'conformant' | 'non-conformant' | 'inconclusive';
  readonly requirements: readonly JudgedSentence[];
}

/** A rule with its sentence, and what was found against it. */
export interface JudgedSentence extends Omit<JudgedRule, 'findings'> {
  readonly statement: string;
  readonly findings: readonly ClientFinding[];
}

/** Findings of one rule that are told in full. */
const mostFindings = 12;

export function judgementOf(world: Pick<World, 'history'>): Judgement {
  const { verdict, requirements } = judgeClient([world.history()]);
  return {
    verdict,
    requirements: requirements.map((rule) => ({
      ...rule,
      statement: clientRules[rule.id].statement,
      findings: rule.findings.slice(0, mostFindings).map(inNumbers),
    })),
  };
}

function inNumbers({ expected, actual, hint, exchanges }: Finding): ClientFinding {
  return { expected, actual, hint, exchanges: exchanges.map(({ number }) => number) };
}
