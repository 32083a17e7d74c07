import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import type { QuestionId } from '../../fixtures/open-questions.ts';
import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import { topics } from '../../fixtures/requirements/model.ts';
import type { Check } from '../check.ts';
import { checks as allChecks } from '../checks/index.ts';
import type { Answered } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { flows as allFlows } from '../flows/index.ts';
import { observingFlows } from '../flows/observing/index.ts';
import { defaultFuzzCalls } from '../fuzz/bounds.ts';
import { redactValue } from '../history/redaction/values.ts';
import { topicOf } from '../named.ts';
import { answers } from '../observations/index.ts';
import type { Told } from '../observations/told.ts';
import type { RunEvent } from '../result.ts';
import { rules as allRules } from '../rules/index.ts';
import { selectRequirements } from '../selection.ts';
import { Session } from '../session/session.ts';
import type { Target } from '../target.ts';
import { attempt } from './attempt.ts';
import { Bail } from './bail.ts';
import { type Compiled, compile } from './compile.ts';
import type { Surroundings } from './context.ts';
import { describeMissing, missingFor } from './feasible.ts';
import { FlowRun } from './flows.ts';
import { groundOf } from './ground.ts';
import { type AuditOptions, mostCalls } from './options.ts';
import type { Outcome } from './outcome.ts';
import { ownWordsOfEvents } from './own-words.ts';
import { phasesOf } from './phases.ts';
import { seededOrder, seededText } from './random.ts';
import { survey } from './survey.ts';
import { tryAgain } from './try-again.ts';

/** One run, from the first call to the result. */
export class Run {
  readonly #target: Target;
  readonly #options: AuditOptions;
  readonly #onEvent: (event: RunEvent) => void;
  readonly #startedAt = new Date();
  readonly #stop = new AbortController();
  readonly #session: Session;
  readonly #outcomes: Outcome[] = [];
  readonly #controls = new Map<RequirementId, Finding[]>();
  readonly #selected: ReadonlySet<RequirementId>;
  readonly #runId: string;
  readonly #bail: Bail | undefined;
  readonly #flows: FlowRun;
  #around: Surroundings;

  constructor(target: Target, options: AuditOptions) {
    this.#target = target;
    this.#options = options;
    this.#onEvent = (event) => options.onEvent?.(redactValue(event, this.#session.redact, ownWordsOfEvents));
    const selected = selectRequirements(requirements, options.only, options.skip);
    this.#selected = new Set(selected.map(({ id }) => id));
    this.#runId = seededText(options.seed, `run at ${this.#startedAt.getTime()}`, 8);
    const signal =
      options.signal === undefined ? this.#stop.signal : AbortSignal.any([options.signal, this.#stop.signal]);
    this.#session = new Session(target, signal, this.#onEvent, options.timer);
    const most = mostCalls(target, options);
    this.#session.budget.limitCalls(most);
    this.#session.limitTime(most, options.maxDurationSeconds, () => this.#stop.abort());
    this.#bail = options.bail === true ? new Bail(this.#session, this.#selected) : undefined;
    const { workspaces, shape, keys } = target;
    this.#around = {
      session: this.#session,
      target,
      ground: groundOf(workspaces, keys.otherAccount, shape, this.#startedAt, this.#runId),
      seed: options.seed,
      fuzz: { calls: options.fuzz ?? defaultFuzzCalls, drawn: new Set() },
      observing: (options.observe ?? options.checks === undefined) === true,
      rank: 0,
      shared: new Map(),
      onControl: (requirement, finding) => this.#noteControl(requirement, finding),
    };
    this.#flows = new FlowRun(
      () => this.#around,
      (options.flows ?? options.checks === undefined) ? { flows: allFlows, rules: allRules } : { flows: [], rules: [] },
      this.#selected,
      this.#around.observing ? observingFlows.filter(({ observes }) => observes.some((id) => this.#asks(id))) : [],
      () => this.#interrupted(),
      (event) => {
        this.#onEvent(event);
        if (options.bail === true && isFailure(event)) this.#stop.abort();
      },
    );
  }

  async end(): Promise<Compiled> {
    try {
      const { ground, notices, trouble: found } = await survey(this.#around);
      // What was called off shows no trouble.
      const trouble = this.#interrupted() ? undefined : found;
      this.#around = { ...this.#around, ground };
      for (const text of notices) this.#onEvent({ kind: 'notice', text });
      await this.#runChecks(trouble);
      notices.push(...this.#flows.faults, ...this.#flows.notices);
      this.#options.onHistory?.(this.#flows.history());
      return this.#compile(notices, trouble);
    } finally {
      await this.#session.close();
    }
  }

  async #runChecks(trouble: string | undefined): Promise<void> {
    const chosen = (this.#options.checks ?? allChecks).filter(({ requirement }) => this.#selected.has(requirement));
    const feasible: Check[] = [];
    for (const check of chosen) {
      const missing = missingFor(check, this.#target, this.#around.ground);
      if (trouble !== undefined) this.#leaveOut(check, 'nothing can be checked');
      else if (missing.length > 0) this.#leaveOut(check, describeMissing(missing), missing);
      else feasible.push(check);
    }
    const checks = feasible.length + this.#flows.feasible;
    if (trouble !== undefined) this.#flows.leaveOut('nothing can be checked');
    this.#onEvent({ kind: 'started', checks, notTested: chosen.length - feasible.length });
    const { seed, shuffle = false } = this.#options;
    const ordered = shuffle ? seededOrder(feasible, seed) : feasible;
    const phases = phasesOf(ordered);
    // The longest chain of calls is this one; all others fill the gaps that it leaves.
    const balances = this.#preflight().then(() =>
      Promise.all([this.#together(phases.balance), this.#flows.runLane('balances')]),
    );
    const chain = balances
      .then(() => Promise.all([this.#together(phases.confirming), this.#flows.runLane('images')]))
      .then(() => this.#flows.runLane('clock'))
      .then(() => this.#oneByOne(phases.clock));
    const others = [
      this.#inGaps(phases.reading),
      this.#flows.runLane('reading'),
      balances.then(() => Promise.all([this.#inGaps(phases.changing), this.#flows.runLane('writing')])),
    ];
    await Promise.all([chain, ...others]);
    await this.#flows.lookAgain();
    await this.#oneByOne(phases.cap);
    await this.#flows.runLane('limits');
    await tryAgain(this.#outcomes, this.#around, () => this.#interrupted());
  }

  /** What preflight learns holds for checks and observations too. */
  async #preflight(): Promise<void> {
    await this.#flows.preflight();
    const { openDay } = this.#flows;
    const { ground } = this.#around;
    if (typeof openDay === 'string') this.#around = { ...this.#around, ground: { ...ground, day: openDay } };
  }

  async #oneByOne(checks: readonly Check[]): Promise<void> {
    for (const check of checks) await this.#once(check);
  }

  async #together(checks: readonly Check[]): Promise<void> {
    await Promise.all(checks.map((check) => this.#once(check)));
  }

  /** All at once, behind the others; an earlier check goes before a later one, so that its chain of calls ends early too. */
  async #inGaps(checks: readonly Check[]): Promise<void> {
    await Promise.all(checks.map((check, index) => this.#once(check, 1 + index)));
  }

  /** Topics whose open questions are asked; some questions have a topic of their own, which no requirement has. */
  #asks(question: QuestionId): boolean {
    const asked = this.#options.questions ?? new Set([...this.#selected].map(topicOf));
    return topics.every((topic) => asked.has(topic)) || asked.has(topicOf(question));
  }

  /** What answers an open question, where the run answers any. */
  #answer(question: QuestionId): readonly Told[] {
    if (!this.#around.observing && this.#options.observe !== 'recorded') return [];
    return this.#asks(question) ? answers[question](this.#flows.history()) : [];
  }

  async #once(check: Check, rank = 0): Promise<void> {
    const { requirement, title } = check;
    const topic = requirement.split('.')[0] ?? '';
    this.#onEvent({ kind: 'check-started', requirement, topic, title });
    const outcome = await attempt(check, { ...this.#around, rank }, () => this.#interrupted());
    const [found] = outcome.findings;
    this.#onEvent({
      kind: 'check-ended',
      requirement,
      topic,
      title,
      status: outcome.status,
      findings: outcome.findings.length,
      ...(found === undefined ? {} : { first: { expected: found.expected, actual: found.actual } }),
    });
    this.#enter(outcome);
    if (this.#bail?.calledFor(outcome)) this.#stop.abort();
  }

  #enter(outcome: Outcome): void {
    this.#outcomes.push(outcome);
  }

  #leaveOut(check: Check, reason: string, missing: Outcome['missing'] = []): void {
    this.#enter({ check, status: 'not-tested', reason, missing, durationMs: 0, findings: [] });
  }

  #noteControl(requirement: RequirementId, finding: Finding): void {
    const known = this.#controls.get(requirement) ?? [];
    const seqs = (exchanges: readonly Answered[]) => exchanges.map(({ seq }) => seq).join();
    if (known.some((each) => seqs(each.exchanges) === seqs(finding.exchanges))) return;
    this.#controls.set(requirement, [...known, finding]);
  }

  #interrupted(): boolean {
    return this.#stop.signal.aborted || (this.#options.signal?.aborted ?? false);
  }

  #compile(notices: string[], trouble: string | undefined): Compiled {
    const { target } = this.#around;
    return compile({
      kitVersion: this.#options.kitVersion ?? '0.0.0',
      label: this.#options.label,
      document: { version: documentVersion, contractSha256 },
      target,
      ground: this.#around.ground,
      seed: this.#options.seed,
      require: this.#options.require,
      runId: this.#runId,
      startedAt: this.#startedAt,
      interrupted: this.#options.signal?.aborted ?? false,
      notices,
      trouble,
      session: this.#session,
      checks: this.#options.checks ?? allChecks,
      outcomes: [...this.#outcomes, ...this.#flows.outcomes()],
      controls: this.#controls,
      selected: this.#selected,
      observed: (question) => this.#answer(question),
    });
  }
}

/** Whether a requirement that must hold was seen to fail. */
function isFailure(event: RunEvent): boolean {
  if (event.kind !== 'check-ended' || event.status !== 'failed') return false;
  return requirements.some(({ id, level }) => id === event.requirement && level === 'must');
}
