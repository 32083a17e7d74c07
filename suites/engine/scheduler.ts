import type { Completed } from '../exchange/exchange.ts';
import type { RunEvent } from '../result.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import { seededFraction } from '../topics/random.ts';
import { Steps, type StoryContext } from '../topics/steps.ts';
import type { Story, Use } from '../topics/story.ts';
import { describeMissing, missingFor } from './feasible.ts';
import type { Ending } from './outcomes.ts';
import { type AcceptedValues, learnContentRequest, learnProposal } from './preflight.ts';

interface SchedulerOptions {
  readonly context: () => StoryContext;
  readonly stories: readonly Story[];
  /** Returns whether to run a story again, alone, because a finding or a missing result may be due to other clients. */
  readonly isOpen: (ending: Ending) => boolean;
  readonly onEvent: (event: RunEvent) => void;
  readonly onEnding: (ending: Ending) => void;
}

const mostReruns = 4;

/** Range of the random pause before the first repetition. */
const leastPauseSeconds = 0.3;
const mostPauseSeconds = 2;

/**
 * Runs the stories. Stories that only read start at once. Those with side effects wait for preflight, and for the
 * stories that compare balances. Stories that spend run one after another.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #shared = new Map<string, Promise<Completed>>();
  /** Ends when the stories that run side by side have ended. */
  #crowd: Promise<unknown> = Promise.resolve();
  acceptedValues: AcceptedValues = {};

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  get possible(): Story[] {
    return this.#options.stories.filter((story) => this.#missing(story).length === 0);
  }

  async preflight(more: readonly Use[] = []): Promise<void> {
    const uses = [...more, ...this.possible.flatMap((story) => story.uses)];
    await Promise.all([
      uses.includes('proposal') && this.#learn(learnProposal, (noProposal) => ({ noProposal })),
      uses.includes('content') && this.#learn(learnContentRequest, (noContentRequest) => ({ noContentRequest })),
    ]);
  }

  /** Runs all stories except those of the turns `last` and `end`. */
  async run(preflight: () => Promise<void>): Promise<void> {
    const { stories, context } = this.#options;
    const { time } = context();
    const others = stories.filter(({ turn }) => turn === undefined);
    const reading = this.#sideBySide(others.filter(isReading));
    this.#crowd = reading;
    await time.thread(async () => {
      await preflight();
      await this.#inTurn(stories.filter(({ turn }) => turn === 'first'));
      const writing = others.filter((story) => !isReading(story) && !isSpending(story));
      this.#crowd = Promise.all([reading, this.#sideBySide(writing)]);
      await this.#inTurn(others.filter(isSpending));
    });
    await Promise.all([reading, this.#crowd]);
  }

  async runAfterwards(wanted: 'last' | 'end'): Promise<void> {
    const { stories, context } = this.#options;
    await context().time.thread(() => this.#inTurn(stories.filter(({ turn }) => turn === wanted)));
  }

  steps(story: string, goesFirst = true, attempt = 1): Steps {
    const { session, target, deployment: base, seed, time } = this.#options.context();
    const deployment = { ...base, ...this.acceptedValues };
    return new Steps({ story, attempt, goesFirst, session, target, seed, deployment, shared: this.#shared, time });
  }

  async #inTurn(stories: readonly Story[]): Promise<void> {
    for (const story of stories) await this.#run(story);
  }

  async #sideBySide(stories: readonly Story[]): Promise<void> {
    await Promise.all(stories.map((story) => this.#options.context().time.thread(() => this.#run(story))));
  }

  async #learn(
    learn: (t: Steps) => Promise<AcceptedValues>,
    without: (reason: string) => AcceptedValues,
  ): Promise<void> {
    let learned: AcceptedValues;
    try {
      learned = await learn(this.steps('preflight'));
    } catch (error) {
      if (!(error instanceof NotTested) && !(error instanceof Unanswered)) throw error;
      learned = without(error.message);
    }
    this.acceptedValues = { ...this.acceptedValues, ...learned };
  }

  async #run(story: Story): Promise<void> {
    const { onEnding, onEvent, isOpen } = this.#options;
    const missing = this.#missing(story);
    if (missing.length > 0) {
      const impossible = [new NotTested(describeMissing(missing), missing)];
      return onEnding({ story, since: 0, impossible, remarks: new Map() });
    }
    onEvent({ kind: 'story-started', story: story.name });
    const { time } = this.#options.context().session;
    const startedAt = time.elapsedMs();
    let ending = await this.#ending(story, 1);
    const tookSeconds = (time.elapsedMs() - startedAt) / 1000;
    for (let rerun = 1; rerun <= mostReruns && isOpen(ending); rerun += 1) {
      // A story that spends or compares balances runs again alone, because other stories may have replaced its
      // proposals or changed the balance.
      if (isSpending(story) || story.turn === 'first') await this.#options.context().time.waitFor(this.#crowd);
      await this.#pause(story, rerun, tookSeconds);
      ending = await this.#ending(story, rerun + 1, ending.since);
    }
    onEvent({ kind: 'story-ended', story: story.name });
    const why = ending.impossible.at(-1)?.message;
    onEnding(why !== undefined && isOpen(ending) ? { ...ending, unrepeated: why } : ending);
  }

  /** @param openSince start of the previous run, whose findings stay open if this run ends early */
  async #ending(story: Story, attempt: number, openSince?: number): Promise<Ending> {
    const since = this.#options.context().session.exchanges.length;
    // These stories run one after another and take the longest, so their requests go first.
    const goesFirst = story.turn !== undefined || isSpending(story);
    const t = this.steps(story.name, goesFirst, attempt);
    try {
      await story.steps(t);
      return { story, since, impossible: t.impossible, remarks: t.remarks };
    } catch (error) {
      const ending = { story, since: openSince ?? since, impossible: t.impossible, remarks: t.remarks };
      if (error instanceof NotTested) return { ...ending, impossible: [...t.impossible, error] };
      return { ...ending, errored: faultOf(error) };
    }
  }

  /**
   * Waits for a random time before each repetition, so that two concurrent runs stop disturbing each other: longer each
   * time, and the longer the story takes on this machine.
   */
  async #pause({ name }: Story, rerun: number, tookSeconds: number): Promise<void> {
    const { session, seed, deployment } = this.#options.context();
    const fraction = seededFraction(seed, `${deployment.runId} ${name} ${rerun}`);
    const mostSeconds = Math.min(Math.max(tookSeconds, leastPauseSeconds), mostPauseSeconds);
    await session.time.wait((0.1 + fraction * mostSeconds) * rerun, 'another client may have interfered');
  }

  #missing(story: Story) {
    const { target, deployment } = this.#options.context();
    return missingFor(story, target, deployment);
  }
}

const isReading = ({ needs }: Story) => needs.effects.length === 0;

const isSpending = ({ needs }: Story) => needs.effects.includes('spending');

function faultOf(error: unknown): NonNullable<Ending['errored']> {
  if (error instanceof Unanswered) {
    const { exchange, message } = error;
    return { reason: message, isFault: false, ...(exchange === undefined ? {} : { exchange }) };
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { reason: `internal error of the kit: ${what}`, isFault: true };
}
