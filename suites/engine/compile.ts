import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import { openQuestions, type QuestionId } from '../../fixtures/open-questions.ts';
import { outsideReach } from '../../fixtures/requirements/outside-reach.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { redactValue } from '../exchange/redactor.ts';
import { withoutUndefined } from '../json.ts';
import { kit } from '../kit.ts';
import type { Observation } from '../observations/observation.ts';
import { requirements } from '../requirements.ts';
import type { ObservationResult, ReportedExchange, RunResult, TimelineEntry } from '../result.ts';
import type { Trace } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { curlLine } from '../session/shell.ts';
import type { ExtraHeader, Target } from '../target/target.ts';
import type { Deployment } from '../topics/deployment.ts';
import { rules } from '../topics/index.ts';
import { conclude } from '../verdict.ts';
import { chainOf, storyOf } from './chain.ts';
import { stillMissing } from './feasible.ts';
import type { AuditOptions } from './options.ts';
import { Reported } from './reported.ts';
import { type Outcome, requirementResults } from './requirement-results.ts';
import { requiredIds } from './selection.ts';

export interface RunFacts {
  readonly options: AuditOptions;
  readonly target: Target;
  readonly deployment: Deployment;
  readonly runId: string;
  readonly selected: ReadonlySet<string>;
  readonly startedAt: Date;
  readonly session: Session;
  outcomes(trouble: string | undefined): readonly Outcome[];
  observed(question: QuestionId): readonly Observation[];
}

/** Compiles the result of a run and redacts every secret. */
export function compile(facts: RunFacts, notices: string[], trouble: string | undefined): RunResult {
  const { session, target } = facts;
  const { label, seed, require, signal } = facts.options;
  const interrupted = signal?.aborted ?? false;
  const reported = new Reported(({ number }) => sentPart(session, number, target));
  const sent = session.exchanges;
  // Requirements that compare a request with its control: a successful request without the error.
  const controlled = new Set<string>(rules.filter(({ control }) => control !== undefined).map(({ id }) => id));
  const outcomes = facts.outcomes(trouble);
  const exchangesOfFindings = outcomes.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges));
  const blamed = new Set(exchangesOfFindings.map(({ number }) => number));
  const results = requirementResults({
    requirements,
    outcomes,
    required: requiredIds(requirements, require, facts.selected),
    stillMissing: (missing) => stillMissing(missing, target, facts.deployment),
    reference: (exchanges) => reported.refer(exchanges),
    story: (shown) => storyOf(shown, sent),
    chain: (id, exchanges) => chainOf(exchanges, sent, controlled.has(id) ? blamed : undefined),
  });
  const observations = openQuestions.flatMap(({ id, question, volatile }): ObservationResult[] => {
    const answers = facts.observed(id);
    if (answers.length === 0) return [];
    const values = answers.map(([value]) => value);
    const exchanges = reported.refer(answers.flatMap(([, ...shown]) => shown));
    return [{ id, question, values, exchanges, ...(volatile ? { volatile } : {}) }];
  });
  const { leftBehind, imagesConfirmed } = session.spending.ledger;
  const conclusion = conclude({
    requirements: results,
    interrupted,
    trouble: [...(trouble === undefined ? [] : [trouble]), ...session.budget.stops],
    counts: {
      requests: session.exchanges.length,
      imagesRequested: session.spending.requested,
      imagesConfirmed,
      imagesWorstCase: session.spending.images.atWorst,
      contentRequestsCreated: leftBehind.contentRequests.length,
    },
  });
  const result: RunResult = {
    schemaVersion: 1,
    kit,
    document: { version: documentVersion, contractSha256, ...withoutUndefined({ url: target.documentUrl }) },
    target: {
      baseUrl: target.baseUrl,
      ...withoutUndefined({ label }),
      kind: target.kind,
      roles: Object.keys(target.keys),
      workspaces: target.workspaces.map(({ slug }) => slug),
      allow: [...target.allow],
      clock: target.clock !== undefined,
    },
    seed,
    runId: facts.runId,
    startedAt: facts.startedAt.toISOString(),
    durationMs: Math.round(session.time.elapsedMs()),
    ...conclusion,
    notices,
    interrupted,
    requirements: results,
    outsideReach: outsideReach.map((entry) => ({ ...entry })),
    observations,
    leftBehind,
    exchanges: reported.list(),
    timeline: session.exchanges.map(timelineEntry),
  };
  return redactValue(result, session.redact);
}

/** Returns what only the session knows of an exchange. */
function sentPart(
  { exchanges, calls }: Session,
  number: number,
  { headers: configured, trace: links }: Target,
): Partial<ReportedExchange> {
  const [sent, call] = [exchanges[number], calls[number]];
  if (sent === undefined || call === undefined) return {};
  const { request, trace, step } = sent;
  const { method, url, headers, body } = request;
  const traceUrl = links === false ? undefined : links?.url;
  return {
    ...(step === undefined ? {} : { step }),
    ...(trace === undefined ? {} : { trace: linked(trace, traceUrl) }),
    request: { method, url, headers: [...headers, ...configured.map(headerLine)], body },
    curl: curlLine(request, call.credential, configured),
  };
}

function linked(trace: Trace, traceUrl: string | undefined): NonNullable<ReportedExchange['trace']> {
  return traceUrl === undefined ? trace : { ...trace, url: traceUrl.replaceAll('{traceId}', trace.traceId) };
}

const headerLine = ({ name, value, variable }: ExtraHeader): [string, string] => [
  name.toLowerCase(),
  variable === undefined ? value : `$${variable}`,
];

function timelineEntry({ sentAt, receivedAt, sender, request, response }: Exchange): TimelineEntry {
  return {
    atMs: Math.round(sentAt),
    durationMs: Math.round((receivedAt - sentAt) * 10) / 10,
    credential: sender.label,
    tool: request.tool,
    status: response?.status ?? null,
  };
}
