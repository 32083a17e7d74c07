import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { clientRules } from '../../fixtures/client-rules.ts';
import type { JudgedRule } from '../../suites/clients/judge.ts';
import type { Finding } from '../../suites/model/finding.ts';
import type { World } from '../worlds/world.ts';

export interface ClientFinding extends Pick<Finding, 'expected' | 'actual' | 'hint'> {
  /** Sequence numbers of events in the journal. */
  readonly exchanges: readonly number[];
}

/** The result of judging the client of one sandbox by the client rules. */
export interface Judgement {
  readonly verdict: 'conformant' | 'non-conformant' | 'inconclusive';
  readonly requirements: readonly JudgedSentence[];
}

/** The result of one rule, with its statement and findings. */
interface JudgedSentence extends Omit<JudgedRule, 'findings'> {
  readonly statement: string;
  readonly findings: readonly ClientFinding[];
}

/** Loads the judge on demand, because most sandboxes are never judged. */
function loadJudge(): typeof import('../../suites/clients/judge.ts') {
  const { filename } = import.meta;
  return createRequire(filename)(`../../suites/clients/judge${extname(filename)}`);
}

/** Maximum number of findings listed per rule. */
const mostFindings = 12;

export function judgementOf(world: Pick<World, 'history'>): Judgement {
  const { verdict, requirements } = loadJudge().judgeClient([world.history()]);
  return {
    verdict,
    requirements: requirements.map((rule) => ({
      ...rule,
      statement: clientRules[rule.id].statement,
      findings: rule.findings.slice(0, mostFindings).map(({ expected, actual, hint, exchanges }) => {
        return { expected, actual, hint, exchanges: exchanges.map(({ number }) => number) };
      }),
    })),
  };
}

/** Returns the rules that the client of a sandbox breaks, as text; empty if the client conforms. */
export function whyNot(world: Pick<World, 'history'>): string {
  return judgementOf(world)
    .requirements.filter(({ status }) => status === 'failed')
    .map(({ id, statement, findings: [first] }) =>
      [`${id}: ${statement}`, `  got: ${first?.actual}`, `  fix: ${first?.hint}`].join('\n'),
    )
    .join('\n');
}
