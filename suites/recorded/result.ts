import { clientRules as texts } from '../../fixtures/client-rules.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { outsideReach } from '../../fixtures/requirements/outside-reach.ts';
import { isRole } from '../../fixtures/roles.ts';
import { type Found, grouped, type Outcome } from '../engine/outcome.ts';
import { ownWords } from '../engine/own-words.ts';
import { Reported } from '../engine/reported.ts';
import { requirementResults } from '../engine/requirement-results.ts';
import { requiredIds } from '../engine/selection.ts';
import type { Judgement } from '../evidence/rule-judge.ts';
import type { Finding } from '../expectations/finding.ts';
import type { ClientRule } from '../expectations/rule.ts';
import type { Exchange } from '../history/exchange.ts';
import { type Redact, redactValue } from '../history/redactor.ts';
import { requirements } from '../requirements.ts';
import type { ReportedExchange, ReportedFinding, RequirementResult, RunResult } from '../result.ts';
import type { CompletedExchange, SentExchange } from '../session/sent-exchange.ts';
import { keyVariable } from '../session/shell.ts';
import type { Target } from '../target/target.ts';
import { rules } from '../topics/index.ts';
import { bareResult } from './bare.ts';
import { clientRequirement, judgedResult } from './client-result.ts';

/** Judgements on recorded traffic, with the facts that a report needs. */
interface Judged {
  readonly baseUrl: string;
  readonly kind: string;
  readonly target: Target | undefined;
  readonly label: string | undefined;
  readonly require: readonly string[] | undefined;
  /** Judgements on each recording, by requirement. */
  readonly judgements: ReadonlyMap<RequirementId, readonly Judgement[]>;
  /** Judgements of the client rules on each recording; empty if the client is not judged. */
  readonly ofClient: readonly Judgement<ClientRule>[];
  readonly requests: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly notices: readonly string[];
  readonly trouble: readonly string[];
  readonly interrupted: boolean;
  /** Returns the place of an exchange, such as `traffic.har, entry 12`. */
  readonly placeOf: (number: number) => string;
  readonly redact: Redact;
  /** True if there were more secrets than `redact` replaces. */
  readonly isFull: boolean;
}

/** Returns findings in recorded traffic as the result of a run, so that all reports can show them. */
export function recordedResult(judged: Judged): RunResult {
  const reported = new Reported();
  const ofServer = requirementResults({
    requirements,
    outcomes: [...judged.judgements].map(([id, all]) => outcomeOf(id, all, judged)),
    required: requiredIds(requirements, judged.require),
    stillMissing: (missing) => missing,
    reference: (exchanges) => reported.refer(exchanges),
  });
  const results = [...ofServer, ...clientResults(judged, reported)];
  const { target, interrupted, trouble, notices, requests, startedAt, label } = judged;
  const result = judgedResult({
    target: {
      baseUrl: judged.baseUrl,
      ...(label === undefined ? {} : { label }),
      kind: judged.kind,
      roles: Object.keys(target?.keys ?? {}),
      workspaces: (target?.workspaces ?? []).map(({ slug }) => slug),
      clock: false,
    },
    seed: 0,
    runId: 'recorded',
    startedAt,
    durationMs: Math.round(judged.durationMs),
    requests,
    notices,
    trouble,
    interrupted,
    requirements: results,
  });
  const whole = {
    ...result,
    outsideReach: outsideReach.map((entry) => ({ ...entry })),
    exchanges: sinceFirst(reported.list()),
  };
  return redactValue(judged.isFull ? bareResult(whole) : whole, judged.redact, ownWords);
}

/** Times since the first exchange, because a recording is older than its audit. */
function sinceFirst(exchanges: readonly ReportedExchange[]): ReportedExchange[] {
  const first = Math.min(0, ...exchanges.map(({ atMs }) => atMs));
  return exchanges.map((exchange) => ({ ...exchange, atMs: exchange.atMs - first }));
}

/** Returns the client rules in the form of requirements. */
function clientResults(judged: Judged, reported: Reported): RequirementResult[] {
  return [...Map.groupBy(judged.ofClient, ({ id }) => id)].map(([id, all]): RequirementResult => {
    const { level, triedBy } = texts[id];
    const about = clientRequirement(id);
    const findings = united(
      all.flatMap((judgement) =>
        judgement.findings.map(({ expected, actual, hint, exchanges }): ReportedFinding => {
          const ids = reported.refer(exchanges.map((exchange) => sentExchange(exchange, judged)));
          return { expected, actual, hint, exchanges: ids };
        }),
      ),
    );
    const broke = all.find((judgement) => judgement.broke !== undefined)?.broke;
    if (findings.length > 0) return { ...about, status: level === 'must' ? 'failed' : 'warned', findings };
    if (broke !== undefined) return { ...about, status: 'errored', reason: broke.reason, findings };
    if (all.some(({ tested }) => tested > 0)) {
      const witness = witnessIn(all, judged);
      return { ...about, status: 'passed', ...(witness && { witness: reported.refer([witness]) }), findings };
    }
    const prevented = all.find((judgement) => judgement.prevented !== undefined)?.prevented;
    const reason = prevented ?? `not recorded: ${triedBy}`;
    return { ...about, status: 'not-tested', reason, missing: [], findings };
  });
}

/** Merges findings with identical texts. The exchanges of the first finding represent all of them. */
function united(findings: readonly ReportedFinding[]): ReportedFinding[] {
  const groups = Map.groupBy(findings, ({ expected, actual }) => `${expected}\n${actual}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, ...(others.length > 0 ? { times: others.length + 1 } : {}) }],
  );
}

function outcomeOf(id: RequirementId, all: readonly Judgement[], judged: Judged): Outcome {
  const outcome = { requirement: id };
  const findings = foundIn(all, judged);
  if (findings.length > 0) return { ...outcome, status: 'failed', findings };
  const broke = all.find((judgement) => judgement.broke !== undefined)?.broke;
  if (broke !== undefined) {
    const exchanges = [sentExchange(broke.exchange, judged)];
    return { ...outcome, status: 'errored', reason: broke.reason, exchanges, findings };
  }
  if (all.some(({ tested }) => tested > 0)) {
    const witness = witnessIn(all, judged);
    return { ...outcome, status: 'passed', ...(witness && { witness }), findings };
  }
  const deniedBy = all.find((judgement) => judgement.deniedBy !== undefined)?.deniedBy;
  const declined = all.find((judgement) => judgement.declined !== undefined)?.declined;
  const denied = deniedBy === undefined ? undefined : `precondition not met or not recorded, see ${deniedBy}`;
  const lacks = [...new Set(all.flatMap((judgement) => judgement.lacks))];
  const unknown = lacks.length === 0 ? undefined : `not certain without --assume ${lacks.join(',')}`;
  const isRuled = rules.some((rule) => rule.id === id);
  const none = isRuled ? 'no request of this kind was recorded' : 'only requests that tck run sends can show it';
  const prevented = all.find((judgement) => judgement.prevented !== undefined)?.prevented;
  const unjudged = all.find((judgement) => judgement.unjudged !== undefined)?.unjudged?.reason;
  const reason = unknown ?? declined ?? prevented ?? denied ?? unjudged ?? none;
  const missing = lacks.length === 0 ? [] : [{ kind: 'option' as const, option: `--assume ${lacks.join(',')}` }];
  return { ...outcome, status: 'not-tested', reason, missing, findings };
}

function witnessIn(all: readonly Judgement<ClientRule>[] | readonly Judgement[], judged: Judged) {
  const [exchange] = all.flatMap(({ witness }) => witness ?? []);
  return exchange && sentExchange(exchange, judged);
}

function foundIn(all: readonly Judgement[], judged: Judged): Found[] {
  const groups = grouped(all.flatMap(({ findings }) => findings.map((finding) => reportedFinding(finding, judged))));
  const more = all.reduce((sum, judgement) => sum + judgement.more, 0);
  const [first, ...others] = groups;
  return first === undefined ? [] : [{ ...first, times: first.times + more }, ...others];
}

function reportedFinding({ refutable: _, ...finding }: Finding, judged: Judged): Found {
  const shown = finding.exchanges
    .map((exchange) => sentExchange(exchange, judged))
    .filter((exchange): exchange is CompletedExchange => exchange.response !== null);
  return { ...finding, exchanges: shown, first: shown, times: 1 };
}

/** Converts an exchange of a history to the form that reports use. */
function sentExchange(exchange: Exchange, judged: Judged): SentExchange {
  const { number, sender, request, response, problem, sentAt, receivedAt } = exchange;
  const { role, kind, label } = sender;
  return {
    seq: number,
    credential: {
      kind,
      label: `${label} (${judged.placeOf(number)})`,
      ...(role !== null && isRole(role) ? { role } : {}),
      ...(kind === 'absent' ? {} : { curl: `Bearer $${role === null ? 'TCK_KEY' : keyVariable(role)}` }),
      good: kind === 'key',
    },
    request: {
      method: request.method,
      url: request.url,
      tool: request.tool,
      headers: request.headers.map(([name, value]) => [name, value]),
      configured: [],
      body: request.body,
      args: request.args,
      odd: false,
    },
    response: response && {
      status: response.status,
      headers: response.headers.map(([name, value]) => [name, value]),
      text: response.text,
      json: response.json,
      ...(response.unread === undefined ? {} : { unread: response.unread }),
    },
    problem: problem ?? (response === null ? 'the recording holds no response' : null),
    atMs: sentAt - judged.startedAt.getTime(),
    durationMs: Number.isFinite(receivedAt) ? receivedAt - sentAt : 0,
  };
}
