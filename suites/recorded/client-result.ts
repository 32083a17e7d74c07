import { type ClientRuleId, clientRules as texts } from '../../fixtures/client-rules.ts';
import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import { firstVersion } from '../../fixtures/requirements/model.ts';
import { kit } from '../kit.ts';
import type { ReportedFinding, RequirementResult, RunResult } from '../result.ts';
import { type JudgedRule, judgeClient } from '../rules/clients/judge.ts';
import type { Finding } from '../rules/finding.ts';
import { addedUp, conclude } from '../verdict.ts';
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
}

/** What histories show of their client, as the result of a run: rules for clients stand as its requirements. */
export function clientResult(histories: readonly NamedHistory[], facts: ClientFacts): RunResult {
  const { client, seed, startedAt, durationMs, interrupted, trouble, notices = [] } = facts;
  const exchanges = new ReportedExchanges(histories);
  const judged = judgeClient(histories.map(({ history }) => history)).requirements;
  const requirements = judged.filter(isNeeded).map((rule) => requirementOf(rule, exchanges, histories));
  const counts = { ...addedUp([]), requests: exchanges.count };
  return {
    schemaVersion: 1,
    kit: { ...kit },
    document: { version: documentVersion, contractSha256 },
    target: { baseUrl: client, kind: 'client', roles: [], workspaces: [], allow: [], clock: true },
    seed,
    runId: `seed-${seed}`,
    startedAt: startedAt.toISOString(),
    durationMs,
    notices: [...notices],
    interrupted,
    ...conclude({ requirements, interrupted, trouble: trouble === undefined ? [] : [trouble], counts }),
    requirements,
    outsideReach: [],
    observations: [],
    leftBehind: { contentRequests: [], runs: [], proposals: 0 },
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

function requirementOf(
  { id, status, reason, findings }: JudgedRule,
  exchanges: ReportedExchanges,
  histories: readonly NamedHistory[],
): RequirementResult {
  const { topic, level, severity, statement, source } = texts[id];
  return {
    id,
    topic,
    level,
    severity,
    since: firstVersion,
    statement,
    source,
    status,
    ...(reason === undefined ? {} : { reason }),
    durationMs: 0,
    findings: grouped(findings).map((same) => reportedFinding(same, exchanges, histories)),
  };
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
): ReportedFinding {
  const [{ expected, actual, hint, exchanges: shown } = noFinding] = same;
  const seenIn = histories.filter(({ history }) =>
    same.some((each) => each.exchanges.some((one) => history.exchanges.includes(one))),
  );
  const names = seenIn.flatMap(({ name }) => name ?? []);
  return {
    expected,
    actual,
    hint,
    exchanges: shown.map((exchange) => exchanges.refer(exchange)),
    ...(same.length > 1 ? { times: same.length } : {}),
    ...(names.length > 0
      ? { note: `seen in ${names.length === 1 ? 'the scenario' : 'the scenarios'} ${names.join(', ')}` }
      : {}),
  };
}

const noFinding: Finding = { expected: '', actual: '', hint: '', exchanges: [] };
