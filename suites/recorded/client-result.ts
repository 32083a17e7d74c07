import { type ClientRuleId, clientRules as texts } from '../../fixtures/client-rules.ts';
import { named } from '../named.ts';
import type { Gate, ReportedFinding, RequirementResult, RunResult } from '../result.ts';
import { type JudgedRule, judgeClient } from '../rules/clients/judge.ts';
import type { Finding } from '../rules/finding.ts';
import { requiredIds } from '../selection.ts';
import { clientRequirement, judgedResult } from './judged-result.ts';
import { type NamedHistory, ReportedExchanges } from './reported-exchanges.ts';

export interface ClientFacts {
  /** The client in words: its command, or the file that was recorded. */
  readonly client: string;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** Why the client could not be judged properly. */
  readonly trouble?: string | undefined;
  readonly notices?: readonly string[];
  /** Globs or topics of the rules that have to be tested, or `all`. */
  readonly require?: readonly string[] | undefined;
  /** Whether a recommendation that is not followed fails the gate. */
  readonly failOnAdvice?: boolean;
  /** The command that runs one scenario again. */
  readonly again?: (scenario: string) => string;
}

/** What histories show of their client, as the result of a run: rules for clients stand as its requirements. */
export function clientResult(histories: readonly NamedHistory[], facts: ClientFacts): RunResult {
  const { client, seed, startedAt, durationMs, interrupted, notices = [] } = facts;
  const exchanges = new ReportedExchanges(histories);
  const judged = judgeClient(histories.map(({ history }) => history)).requirements;
  const rules = Object.entries(texts).map(([id, { topic }]) => ({ id, topic }));
  const required = requiredIds(rules, facts.require);
  const requirements = judged.filter(isNeeded).map((rule): RequirementResult => {
    const findings = grouped(rule.findings).map((same) => reportedFinding(same, exchanges, histories, facts.again));
    const reason = rule.reason === undefined ? {} : { reason: rule.reason };
    return {
      ...clientRequirement(rule.id),
      status: rule.status,
      ...reason,
      findings,
      ...(required.has(rule.id) ? { required: true } : {}),
    };
  });
  const result = judgedResult({
    target: { baseUrl: client, kind: 'client', clock: true },
    seed,
    runId: `seed-${seed}`,
    startedAt,
    durationMs,
    requests: exchanges.count,
    notices,
    trouble: facts.trouble === undefined ? [] : [facts.trouble],
    interrupted,
    requirements,
  });
  return {
    ...result,
    gate: facts.failOnAdvice === true ? withAdvice(result.gate, requirements) : result.gate,
    exchanges: exchanges.reported(),
    timeline: exchanges.timeline(),
  };
}

/** What is asked only where no person is known is not missing where one is. */
const insteadOf: Readonly<Partial<Record<ClientRuleId, ClientRuleId>>> = {
  'client-confirmations.time-to-read': 'client-confirmations.approved',
  'client-workspaces.choices-shown': 'client-workspaces.chosen-by-a-person',
};

function isNeeded({ id, status }: JudgedRule, _index: number, rules: readonly JudgedRule[]): boolean {
  const instead = insteadOf[id];
  if (status !== 'not-tested' || instead === undefined) return true;
  return rules.some((other) => other.id === instead && other.status === 'not-tested');
}

/** A gate that recommendations fail, too. */
function withAdvice({ reasons }: Gate, requirements: readonly RequirementResult[]): Gate {
  const advised = requirements.filter(({ status }) => status === 'warned').map(({ id }) => id);
  const reason = `${advised.length === 1 ? 'recommendation' : 'recommendations'} not followed: ${named(advised)}`;
  const all = advised.length === 0 ? reasons : [...reasons, `${advised.length} ${reason}`];
  return { passed: all.length === 0, reasons: all };
}

/** Findings that differ in numbers alone, such as times, are one. */
function grouped(findings: readonly Finding[]): Finding[][] {
  const groups = Map.groupBy(findings, ({ expected, actual }) => `${expected}\n${actual}`.replaceAll(/\d+/g, '0'));
  return [...groups.values()];
}

function reportedFinding(
  same: readonly Finding[],
  exchanges: ReportedExchanges,
  histories: readonly NamedHistory[],
  again: ClientFacts['again'],
): ReportedFinding {
  const [{ expected, actual, hint, exchanges: shown } = noFinding] = same;
  const seenIn = histories.filter(({ history }) =>
    same.some((each) => each.exchanges.some((one) => history.exchanges.includes(one))),
  );
  const names = seenIn.flatMap(({ name }) => name ?? []);
  const [first] = names;
  const where = `the scenario${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
  return {
    expected,
    actual,
    hint,
    exchanges: shown.map((exchange) => exchanges.refer(exchange)),
    ...(same.length > 1 ? { times: same.length } : {}),
    ...(first === undefined
      ? {}
      : { note: [`seen in ${where}`, ...(again === undefined ? [] : [`reproduce with: ${again(first)}`])].join('; ') }),
  };
}

const noFinding: Finding = { expected: '', actual: '', hint: '', exchanges: [] };
