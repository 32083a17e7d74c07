import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { redactValue } from '../exchange/redactor.ts';
import { withoutUndefined } from '../json.ts';
import { answerTo } from '../observations/index.ts';
import type { Observation } from '../observations/observation.ts';
import { requirements } from '../requirements.ts';
import type { RunEvent, RunResult } from '../result.ts';
import { hasEnded, type SentExchange } from '../session/call.ts';
import { Session } from '../session/session.ts';
import { VirtualTime } from '../session/virtual-time.ts';
import type { Target } from '../target/target.ts';
import { type Deployment, deploymentOf, knowledgeOf } from '../topics/deployment.ts';
import { rules } from '../topics/index.ts';
import { seededOrder, seededText } from '../topics/random.ts';
import type { StoryContext } from '../topics/steps.ts';
import type { Story, Use } from '../topics/story.ts';
import { compile, type RunFacts } from './compile.ts';
import { LiveJudge } from './live-judge.ts';
import { type AuditOptions, chosenObserving, isAsked, mostCalls, selectedIds, testingStories } from './options.ts';
import { missingOutcome, Outcomes } from './outcomes.ts';
import { mostRefutable, Repetitions } from './repetitions.ts';
import type { Outcome } from './requirement-results.ts';
import { Scheduler } from './scheduler.ts';
import { survey } from './survey.ts';
import { explore, walkName } from './walk.ts';

/**
 * Runs the kit against a deployment. Rejects only with a `UsageError`, if a pattern selects nothing. Failures of the
 * deployment or the network are part of the result.
 */
export async function audit(target: Target, options: AuditOptions): Promise<RunResult> {
  return new Run(target, options).end();
}

class Run implements RunFacts {
  readonly target: Target;
  readonly options: AuditOptions;
  readonly #onEvent: (event: RunEvent) => void;
  readonly startedAt: Date;
  readonly #stop = new AbortController();
  readonly session: Session;
  readonly selected: ReadonlySet<RequirementId>;
  readonly runId: string;
  readonly #liveJudge: LiveJudge;
  readonly #repetitions: Repetitions;
  readonly #outcomes: Outcomes;
  readonly #scheduler: Scheduler;
  #noticesOfExploring: readonly string[] = [];
  #around: StoryContext;

  constructor(target: Target, options: AuditOptions) {
    this.target = target;
    this.options = options;
    this.startedAt = options.startedAt ?? new Date();
    this.#onEvent = (event) => options.onEvent?.(redactValue(event, this.session.redact));
    const { seed } = options;
    this.selected = selectedIds(options);
    this.runId = seededText(seed, `run at ${this.startedAt.getTime()}`, 8);
    const signal =
      options.signal === undefined ? this.#stop.signal : AbortSignal.any([options.signal, this.#stop.signal]);
    this.session = new Session(target, signal, this.#onEvent, options.timer, this.runId);
    const most = mostCalls(target, options);
    this.session.budget.limitCalls(most);
    const mostRequests = [...most.values()].reduce((sum, count) => sum + count, 0);
    this.session.listen((exchange) => hasEnded(exchange) && this.#tellRequest(exchange, mostRequests));
    this.session.limitTime(most, options.maxDurationSeconds, () => this.#stop.abort());
    const { workspaces, shape, keys } = target;
    const deployment = deploymentOf(workspaces, keys.otherAccount, shape, this.startedAt, this.runId);
    const time = new VirtualTime(this.session.time, () => this.#repetitions.confirmRefutable());
    this.#around = { session: this.session, target, deployment, seed, time };
    this.#liveJudge = new LiveJudge(
      rules.filter(({ id }) => this.selected.has(id)),
      this.session,
      () => knowledgeOf(target, this.#around.deployment),
    );
    this.#repetitions = new Repetitions(this.#liveJudge, this.session);
    this.#outcomes = new Outcomes({
      selected: this.selected,
      liveJudge: this.#liveJudge,
      session: this.session,
      onEvent: this.#onFinding,
    });
    this.#scheduler = new Scheduler({
      context: () => this.#around,
      stories: this.#chosenStories(),
      isOpen: (ending) => !this.session.isInterrupted && this.#outcomes.isOpen(ending),
      onEvent: this.#onEvent,
      onEnding: (ending) => this.#outcomes.add(ending),
    });
  }

  #tellRequest(
    { request, sender, response, problem, step, sentAt, receivedAt }: SentExchange,
    mostRequests: number,
  ): void {
    const { exchanges, spending } = this.session;
    const mostImages = this.target.maxImages;
    this.#onEvent({ kind: 'sent', requests: exchanges.length, mostRequests, images: spending.requested, mostImages });
    if (this.options.verbose !== true) return;
    const what = request.tool ?? URL.parse(request.url)?.pathname ?? request.url;
    const came = response === null ? (problem ?? 'no response') : String(response.status);
    const text = `${request.method} ${what} as ${sender.label}: ${came}`;
    this.#onEvent({ kind: 'request', text, ...withoutUndefined({ step }), durationMs: receivedAt - sentAt });
  }

  readonly #onFinding = (event: RunEvent): void => {
    this.#onEvent(event);
    if (this.options.bail === true && this.#isFailure(event)) this.#stop.abort();
  };

  async end(): Promise<RunResult> {
    try {
      const { deployment, notices, trouble: surveyTrouble } = await survey(this.#scheduler.steps('survey'));
      // An interrupted survey is not a problem of the deployment.
      const trouble = this.session.isInterrupted ? undefined : surveyTrouble;
      this.#around = { ...this.#around, deployment };
      for (const text of notices) this.#onEvent({ kind: 'notice', text });
      this.#onEvent({ kind: 'started', requirements: this.#feasible, total: requirements.length });
      // Send no more requests to an address that is not the API.
      if (trouble === undefined) await this.#runStories();
      const noDay = this.session.isInterrupted ? undefined : this.#scheduler.acceptedValues.noContentRequest;
      notices.push(...this.#outcomes.faults, ...(noDay === undefined ? [] : [noDay]), ...this.#noticesOfExploring);
      this.options.onHistory?.(this.#liveJudge.history());
      return compile(this, notices, trouble);
    } finally {
      await this.session.close();
    }
  }

  #chosenStories() {
    const { shuffle = false, seed } = this.options;
    const chosen = testingStories(this.selected);
    const observing = chosenObserving(this.options, this.selected);
    // Stories that compare balances keep their order.
    const isFirst = ({ turn }: Story) => turn === 'first';
    const others = seededOrder(
      chosen.filter((story) => !isFirst(story)),
      seed,
    );
    const ordered = shuffle ? [...chosen.filter(isFirst), ...others] : chosen;
    return [...ordered, ...observing];
  }

  async #runStories(): Promise<void> {
    await this.#scheduler.run(() => this.#preflight());
    await this.#repetitions.confirmRefutable();
    await this.#scheduler.runAfterwards('last');
    await this.#explore();
    await this.#scheduler.runAfterwards('end');
  }

  get #feasible(): number {
    const witnesses = this.#scheduler.possible.flatMap((story) => story.witnesses);
    return new Set(witnesses.filter((id) => this.selected.has(id))).size;
  }

  async #explore(): Promise<void> {
    const { explore: requests = 0, seed } = this.options;
    if (requests === 0) return;
    this.#onEvent({ kind: 'story-started', story: walkName });
    const steps = this.#scheduler.steps(walkName);
    const onStep = () => this.#outcomes.announceFailures(walkName);
    const exploring = { steps, session: this.session, seed, requests, onStep };
    this.#noticesOfExploring = await this.#around.time.thread(() => explore(exploring));
    await this.#repetitions.confirmRefutable(2 * mostRefutable);
    this.#onEvent({ kind: 'story-ended', story: walkName });
  }

  /** Runs preflight. The open day that preflight finds also applies to observations. */
  async #preflight(): Promise<void> {
    const exploring = (this.options.explore ?? 0) > 0;
    const uses: Use[] = [];
    if (exploring && this.target.allow.includes('proposals')) uses.push('proposal');
    if (exploring && this.target.allow.includes('writes')) uses.push('content');
    await this.#scheduler.preflight(uses);
    const openDay = this.#scheduler.acceptedValues.contentRequest?.day;
    const { deployment } = this;
    if (typeof openDay === 'string') this.#around = { ...this.#around, deployment: { ...deployment, day: openDay } };
  }

  /** Returns the observations that answer an open question; empty if the run does not ask it. */
  observed(question: QuestionId): readonly Observation[] {
    const isOpen = this.options.observe !== false && isAsked(question, this.selected);
    return isOpen ? answerTo(question)(this.#liveJudge.history()) : [];
  }

  get deployment(): Deployment {
    return this.#around.deployment;
  }

  /** Problems that prevent all stories, such as invalid keys, must not become findings about the deployment. */
  outcomes(trouble: string | undefined): Outcome[] {
    if (trouble === undefined) return this.#outcomes.all();
    const reason = 'the run did not reach the API';
    return [...this.selected].map((id) => missingOutcome(id, reason, [{ kind: 'interruption' }]));
  }

  #isFailure(event: RunEvent): boolean {
    if (event.kind !== 'requirement-ended' || event.status !== 'failed') return false;
    return requirements.some(({ id, level }) => id === event.requirement && level === 'must');
  }
}
