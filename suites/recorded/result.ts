import { clientRules as texts } from '../../fixtures/client-rules.ts';
import { outsideReach, type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import { isRole } from '../../fixtures/roles.ts';
import { type Found, grouped, type Outcome } from '../engine/outcome.ts';
import { ownWords } from '../engine/own-words.ts';
import { Reported } from '../engine/reported.ts';
import { requirementResults } from '../engine/requirement-results.ts';
import type { Answered, Exchange as Sent } from '../exchange.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import { redactValue } from '../history/redaction/values.ts';
import type { ReportedFinding, RequirementResult, RunResult } from '../result.ts';
import type { Judgement } from '../rules/docket.ts';
import type { Finding } from '../rules/finding.ts';
import { rules } from '../rules/index.ts';
import type { ClientRule } from '../rules/rule.ts';
import { requiredIds } from '../selection.ts';
import { keyVariable } from '../session/curl.ts';
import type { Target } from '../target.ts';
import { bareResult } from './bare.ts';
import { clientRequirement, judgedResult } from './judged-result.ts';

/** What judging recorded traffic came to. */
export interface Judged {
  readonly baseUrl: string;
  readonly kind: string;
  readonly target: Target | undefined;
  readonly label: string | undefined;
  readonly require: readonly string[] | undefined;
  /** By requirement, those of each recording. */
  readonly judgements: ReadonlyMap<RequirementId, readonly Judgement[]>;
  /** What the rules for clients say of each recording; empty where the client is not judged. */
  readonly ofClient: readonly Judgement<ClientRule>[];
  readonly requests: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly notices: readonly string[];
  readonly trouble: readonly string[];
  readonly interrupted: boolean;
  /** Where an exchange stands, such as `traffic.har, entry 12`. */
  readonly placeOf: (number: number) => string;
  readonly redact: Redact;
  /** There were more secrets than `redact` replaces. */
  readonly isFull: boolean;
}

/** What was found in recorded traffic as the result of a run, so that it is told in the same forms. */
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
  const whole = { ...result, outsideReach: outsideReach.map((each) => ({ ...each })), exchanges: reported.list() };
  return redactValue(judged.isFull ? bareResult(whole) : whole, judged.redact, ownWords);
}

/** The rules for clients as requirements. */
function clientResults(judged: Judged, reported: Reported): RequirementResult[] {
  return [...Map.groupBy(judged.ofClient, ({ id }) => id)].map(([id, all]): RequirementResult => {
    const { level, triedBy } = texts[id];
    const about = clientRequirement(id);
    const findings = united(
      all.flatMap((each) =>
        each.findings.map(({ expected, actual, hint, exchanges }): ReportedFinding => {
          const ids = reported.refer(exchanges.map((exchange) => sentExchange(exchange, judged)));
          return { expected, actual, hint, exchanges: ids };
        }),
      ),
    );
    const broke = all.find((each) => each.broke !== undefined)?.broke;
    if (findings.length > 0) return { ...about, status: level === 'must' ? 'failed' : 'warned', findings };
    if (broke !== undefined) return { ...about, status: 'errored', reason: broke.reason, findings };
    if (all.some(({ tested }) => tested > 0)) return { ...about, status: 'passed', findings };
    const prevented = all.find((each) => each.prevented !== undefined)?.prevented;
    const reason = prevented ?? `not recorded: ${triedBy}`;
    return { ...about, status: 'not-tested', reason, missing: [], findings };
  });
}

/** Findings that say the same are one; the exchanges of the first ones stand for all. */
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
  const broke = all.find((each) => each.broke !== undefined)?.broke;
  if (broke !== undefined) {
    const exchanges = [sentExchange(broke.exchange, judged)];
    return { ...outcome, status: 'errored', reason: broke.reason, exchanges, findings };
  }
  if (all.some(({ tested }) => tested > 0)) return { ...outcome, status: 'passed', findings };
  const deniedBy = all.find((each) => each.deniedBy !== undefined)?.deniedBy;
  const declined = all.find((each) => each.declined !== undefined)?.declined;
  const denied = deniedBy === undefined ? undefined : `precondition not met or not recorded, see ${deniedBy}`;
  const lacks = [...new Set(all.flatMap((each) => each.lacks))];
  const unknown = lacks.length === 0 ? undefined : `not certain without --assume ${lacks.join(',')}`;
  const isRuled = rules.some((rule) => rule.id === id);
  const none = isRuled ? 'no request of this kind was recorded' : 'only requests that tck run sends can show it';
  const prevented = all.find((each) => each.prevented !== undefined)?.prevented;
  const unjudged = all.find((each) => each.unjudged !== undefined)?.unjudged?.reason;
  const reason = unknown ?? declined ?? prevented ?? denied ?? unjudged ?? none;
  const missing = lacks.length === 0 ? [] : [{ kind: 'option' as const, option: `--assume ${lacks.join(',')}` }];
  return { ...outcome, status: 'not-tested', reason, missing, findings };
}

function foundIn(all: readonly Judgement[], judged: Judged): Found[] {
  const found = grouped(all.flatMap(({ findings }) => findings.map((finding) => reportedFinding(finding, judged))));
  const more = all.reduce((sum, each) => sum + each.more, 0);
  const [first, ...others] = found;
  return first === undefined ? [] : [{ ...first, times: first.times + more }, ...others];
}

function reportedFinding({ expected, actual, hint, exchanges }: Finding, judged: Judged) {
  const shown = exchanges
    .map((each) => sentExchange(each, judged))
    .filter((each): each is Answered => each.answer !== null);
  return { expected, actual, hint, exchanges: shown, times: 1 };
}

/** An exchange of a history as reports take it. */
function sentExchange(exchange: Exchange, judged: Judged): Sent {
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
    answer: response && {
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
