import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import type { Check } from '../check.ts';
import { checks as allChecks } from '../checks/index.ts';
import type { Answered } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { defaultFuzzCalls, mostShrinking } from '../fuzz/bounds.ts';
import { fuzzing } from '../fuzz/index.ts';
import { observations } from '../observations/index.ts';
import type { Observation } from '../observations/observation.ts';
import type { RunEvent, RunResult } from '../result.ts';
import { selectRequirements } from '../selection.ts';
import { type Counted, ceilings } from '../session/ceilings.ts';
import { secretsOf } from '../session/credentials.ts';
import { redactor } from '../session/redact.ts';
import { Session } from '../session/session.ts';
import type { Timer } from '../session/timer.ts';
import type { Target } from '../target.ts';
import { attempt } from './attempt.ts';
import { judge } from './audit-rules.ts';
import { compile } from './compile.ts';
import type { Surroundings } from './context.ts';
import { describeMissing, missingFor } from './feasible.ts';
import { groundOf } from './ground.ts';
import { observe, planObservations, topicOf } from './observe.ts';
import { Observed } from './observed.ts';
import type { Outcome } from './outcome.ts';
import { phasesOf } from './phases.ts';
import { seededOrder, seededText } from './random.ts';
import { redactDeep } from './reported.ts';
import { survey } from './survey.ts';

export interface AuditOptions {
  /** Globs on requirement ids or names of topics; everything where absent. */
  only?: readonly string[];
  skip?: readonly string[];
  /** Globs or topics that have to be exercised, or `all`. */
  require?: readonly string[];
  seed: number;
  /** Begin checks in an order that depends on the seed. */
  shuffle?: boolean;
  /** Stop after the first failure. */
  bail?: boolean;
  /** Ends the run early; what is known is reported. */
  signal?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
  /** The checks to choose from; all of the kit where absent. */
  checks?: readonly Check[];
  /** How many calls are drawn by chance, beyond a few more where one of them fails; `defaultFuzzCalls` where absent. */
  fuzz?: number;
  /**
   * Answer open questions too, with a bounded number of further calls; by default, unless `checks` are given. `recorded` answers
   * those that the calls of the checks answer by themselves.
   */
  observe?: boolean | 'recorded';
  /** Topics whose open questions are answered; those of the requirements that are checked, where absent. */
  questions?: ReadonlySet<string>;
  kitVersion?: string;
  /** What waits are made with; real time where absent. */
  timer?: Timer;
}

/**
 * Runs the kit against a deployment. Rejects only with a UsageError, for patterns that select nothing; whatever the
 * deployment or the network does ends in the result.
 */
export async function audit(target: Target, options: AuditOptions): Promise<RunResult> {
  return new Run(target, options).result();
}

/** The most calls that a run with these options makes with each key; it keeps to them whatever the deployment does. */
export function mostCalls(
  target: Pick<Target, 'keys' | 'allow' | 'pace'>,
  { observe, fuzz = defaultFuzzCalls, checks }: Pick<AuditOptions, 'observe' | 'fuzz' | 'checks'>,
): Map<Counted, number> {
  const observing = (observe ?? checks === undefined) === true;
  return ceilings(target, { observing, fuzz, shrinking: fuzzing.length * mostShrinking });
}

function levelOf(id: RequirementId): 'must' | 'should' {
  return requirements.find((requirement) => requirement.id === id)?.level ?? 'must';
}

/** One run, from the first call to the result. */
class Run {
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
  #judgedForBail = 0;
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
  }

  async result(): Promise<RunResult> {
    try {
      const { ground, notices, trouble: found } = await survey(this.#around);
      // What was called off shows no trouble.
      const trouble = this.#interrupted() ? undefined : found;
      this.#around = { ...this.#around, ground };
      for (const text of notices) this.#onEvent({ kind: 'notice', text });
      await this.#runChecks(trouble);
      notices.push(...this.#faults);
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
    this.#onEvent({ kind: 'started', checks: feasible.length, notExercised: chosen.length - feasible.length });
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
    const balances = this.#together(phases.balance);
    const chain = balances
      .then(() => this.#together(phases.confirming))
      .then(() => this.#oneByOne(phases.clock))
      .then(() => this.#observeOneByOne(alone));
    const others = [this.#inGaps(phases.reading), balances.then(() => this.#inGaps(phases.changing))];
    const read = Promise.all(others).then(() => Promise.all(together.map((each) => this.#observe(each, 1))));
    await Promise.all([chain, read]);
    await this.#oneByOne(phases.cap);
    await this.#observeOneByOne(afterwards);
    await this.#again();
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

  /** Checks that failed beside others are run again at the end, with nothing shared with before and with what is left of the budget. */
  async #again(): Promise<void> {
    const failed = this.#outcomes.filter(
      ({ check, status, findings }) =>
        (check.needs.alone === false || check.needs.alone === 'unexpired') &&
        status === 'failed' &&
        findings.length > 0,
    );
    const around: Surroundings = {
      ...this.#around,
      shared: new Map(),
      onControl: () => undefined,
      onObservation: () => undefined,
    };
    await Promise.all(
      failed.map(async ({ check, findings }) => {
        const second = await attempt(check, around, () => this.#interrupted());
        if (second.status !== 'passed') return;
        for (const finding of findings) {
          finding.note = 'the same check passed when it was run again: the deployment does not always answer alike';
        }
      }),
    );
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
    if (
      this.#options.bail === true &&
      ((outcome.status === 'failed' && levelOf(requirement) === 'must') || this.#brokenRule())
    )
      this.#stop.abort();
  }

  /** Whether any answer so far breaks a rule of what was selected. */
  #brokenRule(): boolean {
    const since = this.#session.exchanges.slice(this.#judgedForBail);
    this.#judgedForBail = this.#session.exchanges.length;
    const musts = allChecks.filter(
      ({ requirement }) => this.#selected.has(requirement) && levelOf(requirement) === 'must',
    );
    return [...judge(musts, since).values()].some(({ findings }) => findings.length > 0);
  }

  #enter(outcome: Outcome): void {
    this.#outcomes.push(outcome);
  }

  #leaveOut(check: Check, reason: string, missing: Outcome['missing'] = []): void {
    this.#enter({ check, status: 'not-exercised', reason, missing, durationMs: 0, findings: [] });
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

  #compile(notices: string[], trouble: string | undefined): RunResult {
    const { target } = this.#around;
    return compile({
      kitVersion: this.#options.kitVersion ?? '0.0.0',
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
      outcomes: this.#outcomes,
      controls: this.#controls,
      selected: this.#selected,
      observed: this.#observed,
      redact: redactor(secretsOf(target)),
    });
  }
}
