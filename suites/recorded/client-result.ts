import { type ClientRuleId, clientRuleIds, clientRules } from '../../fixtures/client-rules.ts';
import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import { firstVersion } from '../../fixtures/requirements/model.ts';
import { type JudgedRule, judgeClient } from '../clients/judge.ts';
import { Reported } from '../engine/reported.ts';
import { requiredIds } from '../engine/selection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { kit } from '../kit.ts';
import type { Finding } from '../model/finding.ts';
import type {
  Counts,
  Gate,
  ReportedFinding,
  RequirementResult,
  RunResult,
  ScenarioResult,
  TimelineEntry,
} from '../result.ts';
import { summarizeIds, topicOf } from '../usage/counted.ts';
import { addedUp, conclude } from '../verdict.ts';

/** The history of a client in a scenario. */
interface NamedHistory {
  readonly name: string;
  /** Description of the scenario: a sentence fragment that follows "the client". */
  readonly what: string;
  readonly history: History;
  readonly effects: Effects;
}

/** What requests did, even if their responses were lost. */
export interface Effects {
  readonly images: number;
  readonly contentRequests: number;
}

interface ClientFacts {
  /** Description of the client: its command, or the recorded file. */
  readonly client: string;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** Why the client could not be judged properly. */
  readonly trouble?: string | undefined;
  readonly notices?: readonly string[];
  /** Globs or topics of the rules that must be tested, or `all`. */
  readonly require?: readonly string[] | undefined;
  /** True if a violated recommendation fails the gate. */
  readonly failOnAdvice?: boolean;
  /** Returns the command that repeats scenarios. */
  readonly again?: (scenarios: string) => string;
}

/** Returns the judgement of the client in these histories as the result of a run, with client rules as requirements. */
export function clientResult(histories: readonly NamedHistory[], facts: ClientFacts): RunResult {
  const { client, seed, startedAt, durationMs, interrupted, notices = [] } = facts;
  const places = placesOf(histories);
  const reported = new Reported((exchange) => places.get(exchange) ?? {});
  const judged = judgeClient(histories.map(({ history }) => history)).requirements;
  const rules = clientRuleIds.map((id) => ({ id, topic: topicOf(id) }));
  const required = requiredIds(rules, facts.require);
  const requirements = judged.filter(isNeeded).map((rule): RequirementResult => {
    const findings = reportedFindings(rule.findings, reported, histories, facts.again);
    return {
      ...clientRequirement(rule.id),
      status: rule.status,
      ...(rule.reason === undefined ? {} : { reason: rule.reason }),
      findings,
      ...(required.has(rule.id) ? { required: true } : {}),
    };
  });
  const result = judgedResult({
    target: {
      baseUrl: client,
      kind: 'client',
      clock: true,
      scenarios: [...new Set(histories.map(({ name }) => name))],
    },
    seed,
    runId: `seed-${seed}`,
    startedAt,
    durationMs,
    requests: places.size,
    notices,
    trouble: facts.trouble === undefined ? [] : [facts.trouble],
    interrupted,
    requirements,
  });
  return {
    ...result,
    summary: { ...result.summary, ...countsOf(histories.map(({ effects }) => effects)) },
    gate: facts.failOnAdvice === true ? withAdvice(result.gate, requirements) : result.gate,
    exchanges: reported.list(),
    timeline: [...places].map(([exchange, place]) => timelineEntry(exchange, place)),
    scenarios: scenariosOf(histories, judged),
  };
}

interface Place {
  /** Label of the sender, with the name of the history. */
  readonly credential: string;
  readonly atMs: number;
}

/** Returns all exchanges in order. The histories follow each other in time. */
function placesOf(histories: readonly NamedHistory[]): Map<Exchange, Place> {
  const places = new Map<Exchange, Place>();
  let offset = 0;
  for (const { name, history } of histories) {
    for (const exchange of history.exchanges) {
      const credential = `${exchange.sender.label}, scenario: ${name}`;
      places.set(exchange, { credential, atMs: offset + exchange.sentAt });
    }
    offset += history.exchanges.reduce((end, { receivedAt }) => Math.max(end, receivedAt), 0) + 1;
  }
  return places;
}

const timelineEntry = ({ sentAt, receivedAt, request, response }: Exchange, place: Place): TimelineEntry => ({
  ...place,
  durationMs: receivedAt - sentAt,
  tool: request.tool,
  status: response?.status ?? null,
});

const linesShown = 3;

/** Returns what the client did in each scenario. With several runs of a scenario, the last one counts. */
function scenariosOf(histories: readonly NamedHistory[], judged: readonly JudgedRule[]): ScenarioResult[] {
  const brokenIn = ({ history }: NamedHistory): string[] => {
    const own = new Set(history.exchanges);
    const isOwn = ({ exchanges }: Finding) => exchanges.some((exchange) => own.has(exchange));
    return judged.filter(({ findings }) => findings.some(isOwn)).map(({ id }) => id);
  };
  return [...Map.groupBy(histories, ({ name }) => name)].flatMap(([name, runs]): ScenarioResult[] => {
    const last = runs.at(-1);
    if (last === undefined) return [];
    const { exitCode = null, output = '' } = last.history.knowledge.run ?? {};
    const broken = runs.map(brokenIn);
    const passed = broken.filter((ids) => ids.length === 0).length;
    return [
      {
        name,
        what: last.what,
        exitCode,
        requests: last.history.exchanges.length,
        ...last.effects,
        findings: [...new Set(broken.flat())],
        lastLines: output
          .split('\n')
          .filter((line) => line.trim() !== '')
          .slice(-linesShown),
        ...(runs.length > 1 ? { runs: runs.length, passed } : {}),
      },
    ];
  });
}

/**
 * Rules for histories without a known person, and their counterparts for histories with one. An untested rule is left
 * out if its counterpart was tested.
 */
const insteadOf: Readonly<Partial<Record<ClientRuleId, ClientRuleId>>> = {
  'client-confirmations.time-to-read': 'client-confirmations.approved',
  'client-workspaces.choices-shown': 'client-workspaces.chosen-by-a-person',
};

function isNeeded({ id, status }: JudgedRule, _index: number, rules: readonly JudgedRule[]): boolean {
  const instead = insteadOf[id];
  if (status !== 'not-tested' || instead === undefined) return true;
  return rules.some((rule) => rule.id === instead && rule.status === 'not-tested');
}

/** Returns a gate that violated recommendations fail, too. */
function withAdvice({ reasons }: Gate, requirements: readonly RequirementResult[]): Gate {
  const advised = requirements.filter(({ status }) => status === 'warned').map(({ id }) => id);
  const noun = advised.length === 1 ? 'recommendation' : 'recommendations';
  const reason = `${noun} not followed: ${summarizeIds(advised)}`;
  const all = advised.length === 0 ? reasons : [...reasons, `${advised.length} ${reason}`];
  return { passed: all.length === 0, reasons: all };
}

/** Maximum number of further texts in a finding. */
const mostAlso = 5;

/** Merges all findings of a rule: the first in full, the others only if they differ from it. */
function reportedFindings(
  findings: readonly Finding[],
  reported: Reported,
  histories: readonly NamedHistory[],
  again: ClientFacts['again'],
): ReportedFinding[] {
  const different = [...Map.groupBy(findings, ({ actual }) => actual).values()];
  const [first, ...others] = different.flatMap(([each]) => each ?? []);
  if (first === undefined) return [];
  const scenariosOf = (all: readonly Finding[]): string[] => {
    const shown = new Set(all.flatMap((requirement) => requirement.exchanges));
    const seenIn = histories.filter(({ history }) => history.exchanges.some((one) => shown.has(one)));
    return seenIn.map(({ name }) => name);
  };
  const scenarios = scenariosOf(findings);
  const alsoActual = others.slice(0, mostAlso).map(({ actual }) => actual);
  const { expected, actual, hint } = first;
  return [
    {
      expected,
      actual,
      hint,
      exchanges: reported.refer(first.exchanges),
      ...(findings.length > 1 ? { times: findings.length } : {}),
      ...(alsoActual.length > 0 ? { alsoActual } : {}),
      ...(scenarios.length === 0
        ? {}
        : { scenarios, ...(again && { reproduce: again(scenariosOf([first]).join(',')) }) }),
    },
  ];
}

/** Returns what the client created in its scenarios. */
function countsOf(effects: readonly Effects[]): Omit<Counts, 'requests'> {
  const images = effects.reduce((sum, done) => sum + done.images, 0);
  const contentRequestsCreated = effects.reduce((sum, done) => sum + done.contentRequests, 0);
  return { imagesRequested: images, imagesConfirmed: images, imagesWorstCase: images, contentRequestsCreated };
}

/** Facts about judged traffic that the kit did not send. */
interface Facts extends Pick<RunResult, 'requirements' | 'seed' | 'runId' | 'durationMs' | 'interrupted'> {
  readonly target: Pick<RunResult['target'], 'baseUrl' | 'kind' | 'clock'> & Partial<RunResult['target']>;
  readonly startedAt: Date;
  readonly requests: number;
  readonly notices: readonly string[];
  readonly trouble: readonly string[];
}

/** Returns these facts as the result of a run, without exchanges. */
export function judgedResult({ target, startedAt, requests, notices, trouble, ...facts }: Facts): RunResult {
  const { requirements, interrupted } = facts;
  const counts = { ...addedUp([]), requests };
  return {
    schemaVersion: 1,
    kit: { ...kit },
    document: { version: documentVersion, contractSha256 },
    target: { roles: [], workspaces: [], allow: [], ...target },
    startedAt: startedAt.toISOString(),
    notices: [...notices],
    ...facts,
    ...conclude({ requirements, interrupted, trouble, counts }),
    outsideReach: [],
    observations: [],
    leftBehind: { contentRequests: [], runs: [], proposals: 0 },
    exchanges: [],
    timeline: [],
  };
}

/** Returns a client rule in the form of a requirement. */
export function clientRequirement(id: ClientRuleId): Omit<RequirementResult, 'status' | 'findings'> {
  const { level, severity, statement, source } = clientRules[id];
  return { id, topic: topicOf(id), level, severity, since: firstVersion, statement, source };
}
