import { openQuestions, type QuestionId } from '../../fixtures/open-questions.ts';
import { outsideReach, type Requirement } from '../../fixtures/requirements/index.ts';
import type { Exchange } from '../exchange.ts';
import { redactValue } from '../history/redaction/values.ts';
import type { Told } from '../observations/told.ts';
import type { ObservationResult, RunResult, TimelineEntry } from '../result.ts';
import { requiredIds } from '../selection.ts';
import type { Session } from '../session/session.ts';
import type { Target } from '../target.ts';
import { conclude } from '../verdict.ts';
import { stillMissing } from './feasible.ts';
import type { Ground } from './ground.ts';
import type { Outcome } from './outcome.ts';
import { ownWords } from './own-words.ts';
import { Reported } from './reported.ts';
import { requirementResults } from './requirement-results.ts';

export interface RunFacts {
  /** What a version of the kit tests. */
  requirements: readonly Requirement[];
  kitVersion: string;
  label: string | undefined;
  document: RunResult['document'];
  target: Target;
  ground: Ground;
  seed: number;
  require: readonly string[] | undefined;
  runId: string;
  startedAt: Date;
  interrupted: boolean;
  notices: string[];
  trouble: string | undefined;
  session: Session;
  outcomes: readonly Outcome[];
  /** What answers an open question. */
  observed: (question: QuestionId) => readonly Told[];
}

/** Writes out what a run found; no secret is in the result. */
export function compile(facts: RunFacts): RunResult {
  const { session, target } = facts;
  const reported = new Reported();
  const { requirements } = facts;
  const results = requirementResults({
    requirements,
    outcomes: facts.outcomes,
    required: requiredIds(requirements, facts.require),
    stillMissing: (missing) => stillMissing(missing, target, facts.ground),
    reference: (exchanges) => reported.refer(exchanges),
  });
  const observations = openQuestions.flatMap(({ id, question, volatile }): ObservationResult[] => {
    const told = facts.observed(id);
    if (told.length === 0) return [];
    const values = told.map(([value]) => value);
    const shown = told.flatMap(([, ...exchanges]) => exchanges.map(({ number }) => session.exchanges[number]));
    const exchanges = reported.refer(shown.filter((each) => each !== undefined));
    return [{ id, question, values, exchanges, ...(volatile === true ? { volatile } : {}) }];
  });
  const { leftBehind, imagesConfirmed } = session.ledger;
  const conclusion = conclude({
    requirements: results,
    interrupted: facts.interrupted,
    trouble: [...(facts.trouble === undefined ? [] : [facts.trouble]), ...session.budget.stops],
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
    kit: { name: 'content-workspace-tck', version: facts.kitVersion },
    document: facts.document,
    target: {
      baseUrl: target.baseUrl,
      ...(facts.label === undefined ? {} : { label: facts.label }),
      kind: target.kind,
      roles: Object.keys(target.keys),
      workspaces: target.workspaces.map(({ slug }) => slug),
      allow: [...target.allow],
      clock: target.clock !== undefined,
    },
    seed: facts.seed,
    runId: facts.runId,
    startedAt: facts.startedAt.toISOString(),
    durationMs: Math.round(session.time.elapsedMs()),
    ...conclusion,
    notices: facts.notices,
    interrupted: facts.interrupted,
    requirements: results,
    outsideReach: outsideReach.map((each) => ({ ...each })),
    observations,
    leftBehind,
    exchanges: reported.list(),
    timeline: session.exchanges.map(timelineEntry),
  };
  return redactValue(result, session.redact, ownWords);
}

function timelineEntry({ atMs, durationMs, credential, request, answer, waitedMs }: Exchange): TimelineEntry {
  return {
    atMs: Math.round(atMs),
    durationMs: Math.round(durationMs * 10) / 10,
    credential: credential.label,
    tool: request.tool,
    status: answer?.status ?? null,
    ...(waitedMs === undefined ? {} : { waitedMs }),
  };
}
