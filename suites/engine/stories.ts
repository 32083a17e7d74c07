import { setTimeout } from 'node:timers/promises';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import { type AcceptedValues, learnContentRequest, learnProposal } from '../deployment/preflight.ts';
import type { Judgement } from '../evidence/docket.ts';
import type { Completed } from '../history/exchange.ts';
import { topicOf } from '../ids-summary.ts';
import type { RunEvent } from '../result.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { Target } from '../target.ts';
import type { Deployment } from '../topics/deployment.ts';
import { Steps } from '../topics/steps.ts';
import type { Lane, Story, Use } from '../topics/story.ts';
import { describeMissing, missingFor } from './feasible.ts';
import type { Judging } from './judging.ts';
import { type Found, grouped, type Outcome } from './outcome.ts';
import { notRepeatedNote } from './repetitions.ts';
import { type Ending, missingOutcome, untestedOutcome } from './untested.ts';

/** Context of all stories. The survey completes `deployment`. */
export interface StoryContext {
  readonly session: Session;
  readonly target: Target;
  readonly deployment: Deployment;
  readonly seed: number;
}

interface StoryRunOptions {
  readonly context: () => StoryContext;
  readonly stories: readonly Story[];
  /** Requirements to report in any case; other requirements are reported only if they fail. */
  readonly selected: ReadonlySet<RequirementId>;
  readonly judging: Judging;
  readonly interrupted: () => boolean;
  /** Aborts when the run ends early. */
  readonly stopped: AbortSignal;
  /** Runs before each advance of the clock, because a difference may disappear with it. */
  readonly beforeClockMoves: () => Promise<void>;
  readonly onEvent: (event: RunEvent) => void;
}

/** Runs stories and returns the outcome of each requirement. */
export class StoryRun {
  readonly #options: StoryRunOptions;
  readonly #shared = new Map<string, Promise<Completed>>();
  readonly #endings: Ending[] = [];
  readonly #told = new Set<RequirementId>();
  #leftOut: NotTested | undefined;
  #acceptedValues: AcceptedValues = {
    proposal: undefined,
    noProposal: undefined,
    contentRequest: undefined,
    noContentRequest: undefined,
  };

  constructor(options: StoryRunOptions) {
    this.#options = options;
  }

  /** Number of selected requirements that the feasible stories test. */
  get feasible(): number {
    const witnesses = this.#possible().flatMap((story) => story.witnesses);
    return new Set(witnesses.filter((id) => this.#options.selected.has(id))).size;
  }

  /** Faults in stories that only observe, one sentence each. Their questions stay open. */
  get faults(): string[] {
    const broken = this.#endings.filter(({ story, errored }) => story.observes.length > 0 && errored?.isFault === true);
    return broken.map(({ story, errored }) => `${story.name}: ${errored?.reason}`);
  }

  /** Leaves out all stories, for this reason. */
  leaveOut(reason: string): void {
    this.#leftOut = new NotTested(reason);
  }

  /** Learns the values that the feasible stories and `more` use. */
  async preflight(more: readonly Use[] = []): Promise<void> {
    const uses = [...more, ...this.#possible().flatMap((story) => story.uses)];
    if (this.#leftOut !== undefined) return;
    await Promise.all([
      uses.includes('proposal') ? this.#learn(learnProposal, (noProposal) => ({ noProposal })) : undefined,
      uses.includes('content')
        ? this.#learn(learnContentRequest, (noContentRequest) => ({ noContentRequest }))
        : undefined,
    ]);
  }

  /** Why preflight found no accepted content request; empty if it found one or did not try. */
  get notices(): string[] {
    return this.#options.interrupted() ? [] : [this.#acceptedValues.noContentRequest ?? []].flat();
  }

  /** Day on which the server accepts content requests, if preflight found one. */
  get openDay(): unknown {
    return this.#acceptedValues.contentRequest?.day;
  }

  async runLane(lane: Lane): Promise<void> {
    const stories = this.#options.stories.filter((story) => story.lane === lane);
    if (lane === 'reading' || lane === 'writing') await Promise.all(stories.map((story) => this.#run(story)));
    else for (const story of stories) await this.#run(story);
  }

  /**
   * Returns the outcome of every requirement. If only generated requests found a failure, a short history represents
   * it.
   * @param met requirements that failed once and held when repeated
   */
  outcomes(explored: ReadonlyMap<RequirementId, Found>, met: ReadonlySet<RequirementId>): Outcome[] {
    const leftOut = this.#leftOut;
    const { judging, selected } = this.#options;
    // Problems that prevent all stories, such as invalid keys, must not become findings about the deployment.
    if (leftOut !== undefined) {
      return [...selected].map((id) => missingOutcome(id, leftOut.message, [{ kind: 'interruption' }]));
    }
    return judging
      .judgements()
      .map((judgement) => withShortHistory(this.#outcome(judgement), explored.get(judgement.id)))
      .map((outcome) => (met.has(outcome.requirement) ? markedUnstable(outcome) : outcome))
      .filter(({ requirement, status }) => selected.has(requirement) || status === 'failed');
  }

  /** Creates the steps of a story. */
  steps(story: string, lane?: Lane): Steps {
    const { session, target, deployment: base, seed } = this.#options.context();
    const deployment = { ...base, ...this.#acceptedValues };
    // The other lanes run one after another and take the longest, so their requests go first.
    const goesFirst = lane !== 'reading' && lane !== 'writing';
    const { beforeClockMoves } = this.#options;
    return new Steps({ story, goesFirst, session, target, seed, deployment, shared: this.#shared, beforeClockMoves });
  }

  async #learn(
    learn: (t: Steps) => Promise<Partial<AcceptedValues>>,
    without: (reason: string) => Partial<AcceptedValues>,
  ): Promise<void> {
    let learned: Partial<AcceptedValues>;
    try {
      learned = await learn(this.steps('preflight'));
    } catch (error) {
      if (!(error instanceof NotTested) && !(error instanceof Unanswered)) throw error;
      learned = without(error.message);
    }
    this.#acceptedValues = { ...this.#acceptedValues, ...learned };
  }

  async #run(story: Story): Promise<void> {
    const missing = this.#missing(story);
    if (this.#leftOut !== undefined) {
      this.#endings.push({ story, impossible: [this.#leftOut] });
      return;
    }
    if (missing.length > 0) {
      this.#endings.push({ story, impossible: [new NotTested(describeMissing(missing), missing)] });
      return;
    }
    const t = this.steps(story.name, story.lane);
    this.#options.onEvent({ kind: 'story-started', story: story.name });
    try {
      await this.#stepsOf(story, t);
      this.#endings.push({ story, impossible: t.impossible });
    } catch (error) {
      if (error instanceof NotTested) this.#endings.push({ story, impossible: [...t.impossible, error] });
      else this.#endings.push({ story, impossible: t.impossible, errored: faultOf(error, story) });
    }
    this.#options.onEvent({ kind: 'story-ended', story: story.name });
    this.#tell(story);
  }

  /** Runs the steps. Those of a team can wait for something that never happens, so the end of the run ends them. */
  async #stepsOf(story: Story, t: Steps): Promise<void> {
    if (story.origin === undefined) return story.steps(t);
    const done = new AbortController();
    // A timer keeps the process alive, even if nothing else does.
    const stopped = setTimeout(longestTimer, undefined, {
      signal: AbortSignal.any([this.#options.stopped, done.signal]),
    }).catch(() => {
      throw new NotTested('the run ended before the steps finished', [{ kind: 'interruption' }]);
    });
    try {
      await Promise.race([story.steps(t), stopped]);
    } finally {
      done.abort();
    }
  }

  /** Emits the status of each requirement of a story, once per requirement. */
  #tell({ name, witnesses }: Story): void {
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

  #possible(): Story[] {
    return this.#options.stories.filter((story) => this.#missing(story).length === 0);
  }

  #missing(story: Story) {
    const { target, deployment } = this.#options.context();
    return missingFor(story, target, deployment);
  }

  #outcome(judgement: Judgement): Outcome {
    const { id, tested, findings, broke } = judgement;
    const { judging } = this.#options;
    const groups = grouped(findings.map((finding) => judging.found(finding)));
    if (groups.length > 0) return { requirement: id, status: 'failed', findings: groups };
    if (broke !== undefined) {
      const { reason, exchange } = broke;
      return { requirement: id, status: 'errored', reason, exchanges: [judging.sent(exchange)], findings: [] };
    }
    const thrown = this.#endings.find(({ story, errored }) => errored?.isFault === true && isOwnStoryOf(story, id));
    if (thrown?.errored !== undefined) {
      return { requirement: id, status: 'errored', reason: thrown.errored.reason, findings: [] };
    }
    return tested > 0 ? { requirement: id, status: 'passed', findings: [] } : this.#untested(judgement);
  }

  #untested(judgement: Judgement): Outcome {
    const { id } = judgement;
    const endings = this.#endings.filter(({ story }) => story.witnesses.includes(id));
    const errored = endings.find((ending) => ending.errored !== undefined)?.errored;
    if (this.#options.interrupted())
      return missingOutcome(id, 'the run ended before it was tested', [{ kind: 'interruption' }]);
    if (errored !== undefined) {
      const { reason, exchange } = errored;
      const exchanges = exchange === undefined ? [] : [exchange];
      return { requirement: id, status: 'errored', reason, exchanges, findings: [] };
    }
    const { exchanges } = this.#options.context().session;
    return untestedOutcome(judgement, endings, this.#options.judging, exchanges);
  }
}

/** Uses the finding of the short history in place of findings with identical texts. */
function withShortHistory(outcome: Outcome, short: Found | undefined): Outcome {
  if (short === undefined || outcome.status !== 'failed') return outcome;
  const isOther = ({ expected, hint }: Found) => expected !== short.expected || hint !== short.hint;
  return { ...outcome, findings: [short, ...outcome.findings.filter(isOther)] };
}

/** Adds a note to a finding that did not occur again. */
function markedUnstable(outcome: Outcome): Outcome {
  const [finding, ...others] = outcome.findings;
  if (finding === undefined || others.length > 0 || finding.times > 1) return outcome;
  return { ...outcome, findings: [{ ...finding, note: notRepeatedNote }] };
}

/** The longest timer of Node.js, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** A failed step leaves its own requirements undecided, even if other requests tested them. */
function isOwnStoryOf({ origin, requirements }: Story, id: RequirementId): boolean {
  return origin !== undefined && requirements.some((rule) => rule.id === id);
}

function faultOf(error: unknown, { name, origin }: Story): NonNullable<Ending['errored']> {
  if (error instanceof Unanswered) {
    const { exchange, message } = error;
    return { reason: message, isFault: false, ...(exchange === undefined ? {} : { exchange }) };
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const where = origin === undefined ? 'internal error of the kit' : `${origin}: the steps of '${name}' threw`;
  return { reason: `${where}: ${what}`, isFault: true };
}
