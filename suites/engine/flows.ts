import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Flow, Lane, Use } from '../flows/flow.ts';
import { type Learned, learnContentRequest, learnProposal } from '../flows/preflight.ts';
import { Steps } from '../flows/steps.ts';
import type { Completed } from '../history/exchange.ts';
import { topicOf } from '../named.ts';
import type { RunEvent } from '../result.ts';
import type { Judgement } from '../rules/docket.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { Target } from '../target.ts';
import { unstable } from './attempts.ts';
import { describeMissing, missingFor } from './feasible.ts';
import type { Ground } from './ground.ts';
import type { Judging } from './judging.ts';
import { type Found, grouped, type Outcome } from './outcome.ts';
import { type Ending, missingOutcome, untestedOutcome } from './untested.ts';

/** What flows are run with; the ground is known better once the deployment was asked. */
export interface Surroundings {
  readonly session: Session;
  readonly target: Target;
  readonly ground: Ground;
  readonly seed: number;
}

interface FlowRunOptions {
  readonly around: () => Surroundings;
  readonly flows: readonly Flow[];
  /** Requirements that are reported whatever became of them; others only where they failed. */
  readonly selected: ReadonlySet<RequirementId>;
  readonly judging: Judging;
  readonly interrupted: () => boolean;
  readonly onEvent: (event: RunEvent) => void;
}

/** Runs flows, and tells how each requirement ended. */
export class FlowRun {
  readonly #options: FlowRunOptions;
  readonly #shared = new Map<string, Promise<Completed>>();
  readonly #endings: Ending[] = [];
  readonly #told = new Set<RequirementId>();
  #leftOut: NotTested | undefined;
  #learned: Learned = {
    proposal: undefined,
    noProposal: undefined,
    contentRequest: undefined,
    noContentRequest: undefined,
  };

  constructor(options: FlowRunOptions) {
    this.#options = options;
  }

  /** How many requirements are tested by the flows that can run. */
  get feasible(): number {
    const witnesses = this.#possible().flatMap((flow) => flow.witnesses);
    return new Set(witnesses.filter((id) => this.#options.selected.has(id))).size;
  }

  /** What broke in flows that only observe, one sentence each; what kept them from an answer leaves a question open. */
  get faults(): string[] {
    const broken = this.#endings.filter(({ flow, errored }) => flow.observes.length > 0 && errored?.isFault === true);
    return broken.map(({ flow, errored }) => `${flow.name}: ${errored?.reason}`);
  }

  /** Lets no flow run, for this reason. */
  leaveOut(reason: string): void {
    this.#leftOut = new NotTested(reason);
  }

  /** Finds out what the flows that can run say that they use, and what else does. */
  async preflight(more: readonly Use[] = []): Promise<void> {
    const uses = [...more, ...this.#possible().flatMap((flow) => flow.uses)];
    if (this.#leftOut !== undefined) return;
    await Promise.all([
      uses.includes('proposal') ? this.#learn(learnProposal, (noProposal) => ({ noProposal })) : undefined,
      uses.includes('content')
        ? this.#learn(learnContentRequest, (noContentRequest) => ({ noContentRequest }))
        : undefined,
    ]);
  }

  /** What preflight could not find, although it was tried. */
  get notices(): string[] {
    return this.#options.interrupted() ? [] : [this.#learned.noContentRequest ?? []].flat();
  }

  /** The day on which content requests are accepted, where preflight found one. */
  get openDay(): unknown {
    return this.#learned.contentRequest?.day;
  }

  async runLane(lane: Lane): Promise<void> {
    const flows = this.#options.flows.filter((flow) => flow.lane === lane);
    if (lane === 'reading' || lane === 'writing') await Promise.all(flows.map((flow) => this.#run(flow)));
    else for (const flow of flows) await this.#run(flow);
  }

  /**
   * How every requirement ended; of what only generated requests found, a short history stands for all.
   * @param met requirements that failed once, and were met when they were tried again
   */
  outcomes(explored: ReadonlyMap<RequirementId, Found>, met: ReadonlySet<RequirementId>): Outcome[] {
    const leftOut = this.#leftOut;
    const { judging, selected } = this.#options;
    // What kept all flows from running, such as keys that are not good, must not be blamed on the deployment.
    if (leftOut !== undefined) {
      return [...selected].map((id) => missingOutcome(id, leftOut.message, [{ kind: 'interruption' }]));
    }
    return judging
      .judgements()
      .map((judgement) => withShortHistory(this.#outcome(judgement), explored.get(judgement.id)))
      .map((outcome) => (met.has(outcome.requirement) ? markedUnstable(outcome) : outcome))
      .filter(({ requirement, status }) => selected.has(requirement) || status === 'failed');
  }

  /** What a flow is given, by its name. */
  steps(flow: string, lane?: Lane): Steps {
    const { session, target, ground, seed } = this.#options.around();
    const known = { ...ground, ...this.#learned };
    // All other lanes run one after the other, which takes the longest.
    const goesFirst = lane !== 'reading' && lane !== 'writing';
    return new Steps({ flow, goesFirst, session, target, seed, known, shared: this.#shared });
  }

  async #learn(
    learn: (t: Steps) => Promise<Partial<Learned>>,
    without: (reason: string) => Partial<Learned>,
  ): Promise<void> {
    let learned: Partial<Learned>;
    try {
      learned = await learn(this.steps('preflight'));
    } catch (error) {
      if (!(error instanceof NotTested) && !(error instanceof Unanswered)) throw error;
      learned = without(error.message);
    }
    this.#learned = { ...this.#learned, ...learned };
  }

  async #run(flow: Flow): Promise<void> {
    const missing = this.#missing(flow);
    if (this.#leftOut !== undefined) {
      this.#endings.push({ flow, impossible: [this.#leftOut] });
      return;
    }
    if (missing.length > 0) {
      this.#endings.push({ flow, impossible: [new NotTested(describeMissing(missing), missing)] });
      return;
    }
    const t = this.steps(flow.name, flow.lane);
    this.#options.onEvent({ kind: 'flow-started', flow: flow.name });
    try {
      await flow.run(t);
      this.#endings.push({ flow, impossible: t.impossible });
    } catch (error) {
      if (error instanceof NotTested) this.#endings.push({ flow, impossible: [...t.impossible, error] });
      else this.#endings.push({ flow, impossible: t.impossible, errored: faultOf(error) });
    }
    this.#options.onEvent({ kind: 'flow-ended', flow: flow.name });
    this.#tell(flow);
  }

  /** Tells how the requirements of a flow stand after it, each once. */
  #tell({ name, witnesses }: Flow): void {
    const open = new Set(witnesses.filter((id) => !this.#told.has(id)));
    for (const judgement of this.#options.judging.judgements(open)) {
      const { id } = judgement;
      const { status, findings } = this.#outcome(judgement);
      if (status === 'not-tested') continue;
      this.#told.add(id);
      const [first] = findings;
      this.#options.onEvent({
        kind: 'requirement-ended',
        requirement: id,
        topic: topicOf(id),
        title: name,
        status,
        findings: findings.length,
        ...(first === undefined ? {} : { first: { expected: first.expected, actual: first.actual } }),
      });
    }
  }

  #possible(): Flow[] {
    return this.#options.flows.filter((flow) => this.#missing(flow).length === 0);
  }

  #missing(flow: Flow) {
    const { target, ground } = this.#options.around();
    return missingFor(flow, target, ground);
  }

  #outcome(judgement: Judgement): Outcome {
    const { id, tested, findings, broke } = judgement;
    const { judging } = this.#options;
    const found = grouped(findings.map((finding) => judging.found(finding)));
    if (found.length > 0) return { requirement: id, status: 'failed', findings: found };
    if (broke !== undefined) {
      const { reason, exchange } = broke;
      return { requirement: id, status: 'errored', reason, exchanges: [judging.sent(exchange)], findings: [] };
    }
    return tested > 0 ? { requirement: id, status: 'passed', findings: [] } : this.#untested(judgement);
  }

  #untested(judgement: Judgement): Outcome {
    const { id } = judgement;
    const endings = this.#endings.filter(({ flow }) => flow.witnesses.includes(id));
    const errored = endings.find((ending) => ending.errored !== undefined)?.errored;
    if (this.#options.interrupted())
      return missingOutcome(id, 'the run ended before it was tested', [{ kind: 'interruption' }]);
    if (errored !== undefined) {
      const { reason, exchange } = errored;
      const exchanges = exchange === undefined ? [] : [exchange];
      return { requirement: id, status: 'errored', reason, exchanges, findings: [] };
    }
    const { exchanges } = this.#options.around().session;
    return untestedOutcome(judgement, endings, this.#options.judging, exchanges);
  }
}

/** The finding that a short history shows takes the place of those that say the same. */
function withShortHistory(outcome: Outcome, short: Found | undefined): Outcome {
  if (short === undefined || outcome.status !== 'failed') return outcome;
  const isOther = ({ expected, hint }: Found) => expected !== short.expected || hint !== short.hint;
  return { ...outcome, findings: [short, ...outcome.findings.filter(isOther)] };
}

/** Says so where a failure did not repeat. */
function markedUnstable(outcome: Outcome): Outcome {
  const [finding, ...others] = outcome.findings;
  if (finding === undefined || others.length > 0 || finding.times > 1) return outcome;
  return { ...outcome, findings: [{ ...finding, note: unstable }] };
}

function faultOf(error: unknown): NonNullable<Ending['errored']> {
  if (error instanceof Unanswered) {
    const { exchange, message } = error;
    return { reason: message, isFault: false, ...(exchange === undefined ? {} : { exchange }) };
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { reason: `internal error of the kit: ${what}`, isFault: true };
}
