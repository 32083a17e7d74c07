import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import type { Check } from '../check.ts';
import { checks as allChecks } from '../checks/index.ts';
import type { Answered } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { flows as allFlows } from '../flows/index.ts';
import { defaultFuzzCalls } from '../fuzz/bounds.ts';
import { topicOf } from '../named.ts';
import { observations } from '../observations/index.ts';
import type { Observation } from '../observations/observation.ts';
import type { RunEvent } from '../result.ts';
import { rules as allRules } from '../rules/index.ts';
import { selectRequirements } from '../selection.ts';
import { secretsOf } from '../session/credentials.ts';
import { redactor } from '../session/redact.ts';
import { Session } from '../session/session.ts';
import type { Target } from '../target.ts';
import { attempt } from './attempt.ts';
import { Bail } from './bail.ts';
import { type Compiled, compile } from './compile.ts';
import type { Surroundings } from './context.ts';
import { describeMissing, missingFor } from './feasible.ts';
import { FlowRun } from './flows.ts';
import { groundOf } from './ground.ts';
import { observe, planObservations } from './observe.ts';
import { Observed } from './observed.ts';
import { type AuditOptions, mostCalls } from './options.ts';
import type { Outcome } from './outcome.ts';
import { phasesOf } from './phases.ts';
import { seededOrder, seededText } from './random.ts';
import { redactDeep } from './reported.ts';
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
  readonly #observed = new Observed();
  readonly #faults: string[] = [];
  readonly #selected: ReadonlySet<RequirementId>;
  readonly #runId: string;
  readonly #bail: Bail | undefined;
  readonly #flows: FlowRun;
  #around: Surroundings;

  constructor(target: Target, options: AuditOptions) {
    this.#target = target;
    this.#options = options;
    const redact = redactor(secretsOf(target));
    this.#onEvent = (event) => options.onEvent?.(redactDeep(event, redact));
    const selected = selectRequirements(requirements, options.only, options.skip);
    this.#selected = new Set(selected.map(({ id }) => id));
    this.#runId = seededText(options.seed, `run at ${this.#startedAt.getTime()}`, 8);
    const signal =
      options.signal === undefined ? this.#stop.signal : AbortSignal.any([options.signal, this.#stop.signal]);
    this.#session = new Session(target, signal, this.#onEvent, options.timer);
    this.#session.budget.limitCalls(mostCalls(target, options));
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
      onObservation: (id, value, exchanges) => this.#observed.note(id, value, exchanges),
    };
    this.#flows = new FlowRun(
      () => this.#around,
      (options.flows ?? options.checks === undefined) ? { flows: allFlows, rules: allRules } : { flows: [], rules: [] },
      this.#selected,
      () => this.#interrupted(),
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
      notices.push(...this.#faults);
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
    const { together, alone, afterwards } = planObservations(
      trouble === undefined ? this.#observations() : [],
      this.#target,
      this.#around.ground,
      this.#options.questions ?? new Set([...this.#selected].map(topicOf)),
    );
    const phases = phasesOf(ordered);
    // The longest chain of calls is this one; all others fill the gaps that it leaves.
    const balances = this.#flows
      .preflight()
      .then(() => Promise.all([this.#together(phases.balance), this.#flows.runLane('balances')]));
    const chain = balances
      .then(() => Promise.all([this.#together(phases.confirming), this.#flows.runLane('images')]))
      .then(() => this.#flows.runLane('clock'))
      .then(() => this.#oneByOne(phases.clock))
      .then(() => this.#observeOneByOne(alone));
    const others = [
      this.#inGaps(phases.reading),
      this.#flows.runLane('reading'),
      balances.then(() => Promise.all([this.#inGaps(phases.changing), this.#flows.runLane('writing')])),
    ];
    const read = Promise.all(others).then(() => Promise.all(together.map((each) => this.#observe(each, 1))));
    await Promise.all([chain, read]);
    await this.#flows.lookAgain();
    await this.#oneByOne(phases.cap);
    await this.#flows.runLane('limits');
    await this.#observeOneByOne(afterwards);
    await tryAgain(this.#outcomes, this.#around, () => this.#interrupted());
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

  #observations(): readonly Observation[] {
    if (this.#around.observing) return observations;
    return this.#options.observe === 'recorded' ? observations.filter(({ mostRequests }) => mostRequests === 0) : [];
  }

  async #observeOneByOne(those: readonly Observation[]): Promise<void> {
    for (const each of those) await this.#observe(each);
  }

  async #observe(observation: Observation, rank = 0): Promise<void> {
    const fault = await observe(observation, { ...this.#around, rank });
    if (fault !== undefined) this.#faults.push(fault);
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
      observed: this.#observed,
      redact: redactor(secretsOf(target)),
    });
  }
}
