import { type ClientRuleId, clientRules as texts } from '../../fixtures/client-rules.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { outsideReach } from '../../fixtures/requirements/outside-reach.ts';
import { isRole } from '../../fixtures/roles.ts';
import { Reported } from '../engine/reported.ts';
import { found, grouped, type Outcome, requirementResults } from '../engine/requirement-results.ts';
import { requiredIds } from '../engine/selection.ts';
import { type Exchange, isCompleted } from '../exchange/exchange.ts';
import { redactValue } from '../exchange/redactor.ts';
import type { Judgement } from '../model/judge/judgement.ts';
import { requirements } from '../requirements.ts';
import type { Missing, RunResult } from '../result.ts';
import { curlLine, keyVariable } from '../session/shell.ts';
import type { Target } from '../target/target.ts';
import { rules } from '../topics/index.ts';
import { bareResult } from './bare.ts';
import { clientRequirement, judgedResult } from './client-result.ts';
import type { Senders } from './senders.ts';

/** Judgements on recorded traffic, with the facts that a report needs. */
interface Judged {
  readonly baseUrl: string;
  readonly kind: string;
  readonly target: Target | undefined;
  readonly label: string | undefined;
  readonly require: readonly string[] | undefined;
  readonly selected: ReadonlySet<RequirementId>;
  /** Judgements on all recordings. */
  readonly judgements: readonly Judgement[];
  /** Judgements of the client rules on all recordings; empty if the client is not judged. */
  readonly ofClient: readonly Judgement<ClientRuleId>[];
  readonly requests: number;
  readonly startedAt: Date;
  readonly notices: readonly string[];
  readonly trouble: readonly string[];
  readonly interrupted: boolean;
  /** Returns the place of an exchange, such as `traffic.har, entry 12`. */
  readonly placeOf: (number: number) => string;
  readonly senders: Senders;
}

/** Returns findings in recorded traffic as the result of a run, so that all reports can show them. */
export function recordedResult(judged: Judged): RunResult {
  const reported = new Reported((exchange) => ownPart(exchange, judged));
  const grounds = {
    required: requiredIds(requirements, judged.require),
    stillMissing: (missing: Missing) => missing,
    reference: (exchanges: readonly Exchange[]) => reported.refer(exchanges),
  };
  const byId = Map.groupBy(judged.judgements, ({ id }) => id);
  const ofServer = requirementResults({
    ...grounds,
    requirements,
    outcomes: [...judged.selected].map((id) => outcomeOf(id, byId.get(id) ?? [], isRuled(id) ? noRequest : onlyByRuns)),
  });
  const byRule = Map.groupBy(judged.ofClient, ({ id }) => id);
  const ofClient = requirementResults({
    ...grounds,
    requirements: [...byRule.keys()].map(clientRequirement),
    outcomes: [...byRule].map(([id, all]) => outcomeOf(id, all, `not recorded: ${texts[id].triedBy}`)),
  });
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
    durationMs: Date.now() - startedAt.getTime(),
    requests,
    notices,
    trouble,
    interrupted,
    requirements: [...ofServer, ...ofClient],
  });
  const exchanges = reported.list();
  const first = Math.min(0, ...exchanges.map(({ atMs }) => atMs));
  const whole = {
    ...result,
    outsideReach: outsideReach.map((entry) => ({ ...entry })),
    // Since the first exchange, because a recording is older than its audit.
    exchanges: exchanges.map((exchange) => ({ ...exchange, atMs: exchange.atMs - first })),
  };
  const { senders } = judged;
  return redactValue(senders.isFull ? bareResult(whole) : whole, senders.redact());
}

const isRuled = (id: RequirementId) => rules.some((rule) => rule.id === id);
const noRequest = 'no request of this kind was recorded';
const onlyByRuns = 'only requests that tck run sends can show it';

/** @param none why the requirement was not tested, unless a judgement says why */
function outcomeOf<Id extends RequirementId | ClientRuleId>(
  id: Id,
  all: readonly (Judgement | Judgement<ClientRuleId>)[],
  none: string,
): Outcome {
  const outcome = { requirement: id };
  const groups = grouped(all.flatMap(({ findings }) => findings.map(found)));
  const [first, ...others] = groups.map(({ exchanges, ...finding }) => ({
    ...finding,
    exchanges: exchanges.filter(isCompleted),
  }));
  const more = all.reduce((sum, judgement) => sum + judgement.more, 0);
  if (first !== undefined)
    return { ...outcome, status: 'failed', findings: [{ ...first, times: first.times + more }, ...others] };
  const findings: Outcome['findings'] = [];
  const [broke] = all.flatMap((judgement) => judgement.broke ?? []);
  if (broke !== undefined) {
    return { ...outcome, status: 'errored', reason: broke.reason, exchanges: [broke.exchange], findings };
  }
  if (all.some(({ tested }) => tested > 0)) {
    const [witness] = all.flatMap((judgement) => judgement.witness ?? []);
    return { ...outcome, status: 'passed', ...(witness && { witness }), findings };
  }
  const reasons = ['declined', 'prevented'] as const;
  const lacks = [...new Set(all.flatMap((judgement) => judgement.lacks))];
  const [deniedBy] = all.flatMap((judgement) => judgement.deniedBy ?? []);
  const [unjudged] = all.flatMap((judgement) => judgement.unjudged?.reason ?? []);
  const [reason = none] = [
    ...(lacks.length === 0 ? [] : [`not certain without --assume ${lacks.join(',')}`]),
    ...reasons.flatMap((name) => all.find((judgement) => judgement[name] !== undefined)?.[name] ?? []),
    ...(deniedBy === undefined ? [] : [`precondition not met or not recorded, see ${deniedBy}`]),
    ...(unjudged === undefined ? [] : [unjudged]),
  ];
  const missing = lacks.length === 0 ? [] : [{ kind: 'option' as const, option: `--assume ${lacks.join(',')}` }];
  return { ...outcome, status: 'not-tested', reason, missing, findings };
}

/** Returns what a report says of a recorded exchange, apart from what its history says. */
function ownPart({ number, sender, request, response, problem, ...exchange }: Exchange, judged: Judged) {
  const { role, kind, label } = sender;
  const { sentAt, receivedAt } = exchange;
  const key = kind === 'absent' ? {} : { curl: `Bearer $${role === null ? 'TCK_KEY' : keyVariable(role)}` };
  return {
    role: role !== null && isRole(role) ? role : null,
    credential: `${label} (${judged.placeOf(number)})`,
    atMs: Math.round(sentAt - judged.startedAt.getTime()),
    durationMs: Number.isFinite(receivedAt) ? Math.round((receivedAt - sentAt) * 10) / 10 : 0,
    problem: problem ?? (response === null ? 'the recording holds no response' : null),
    curl: curlLine(request, key),
  };
}
