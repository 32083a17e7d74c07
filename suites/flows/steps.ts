import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import type { Ground } from '../engine/ground.ts';
import { seededFraction, seededText } from '../engine/random.ts';
import type { Credential } from '../exchange.ts';
import { type Completed, isCompleted } from '../history/exchange.ts';
import { isRefusable } from '../history/intermediaries.ts';
import type { Missing } from '../result.ts';
import { timesToCount } from '../rules/finding.ts';
import { NotTested } from '../session/budget.ts';
import { type Call, Unanswered } from '../session/call.ts';
import { historyExchange } from '../session/history.ts';
import type { Session } from '../session/session.ts';
import type { RoleKey, Target } from '../target.ts';
import { type Setting, settings } from './needs.ts';

export type Args = Readonly<Record<string, unknown>>;

/** A request as a flow describes it. */
export interface Asked extends Omit<Call, 'tool' | 'credential'> {
  readonly tool: string;
  /** Whose key; `primary` unless said otherwise. */
  readonly as?: Role | Credential;
}

/** What flows know of the deployment; preflight makes it, and nothing changes it afterwards. */
export interface Known extends Ground {
  /** A request of `images.generate` that was accepted; undefined where none was, or none was tried. */
  readonly proposal: Args | undefined;
  /** Why there is none. */
  readonly noProposal: string | undefined;
  /** A request of `content.create_request` that was accepted; undefined where none was, or none was tried. */
  readonly contentRequest: Args | undefined;
  /** Why there is none. */
  readonly noContentRequest: string | undefined;
}

export interface StepsOptions {
  readonly flow: string;
  /** Its requests go out before those of other flows. */
  readonly goesFirst: boolean;
  readonly session: Session;
  readonly target: Target;
  readonly known: Known;
  readonly seed: number;
  /** Requests that flows of this run share, by what they ask. */
  readonly shared: Map<string, Promise<Completed>>;
}

/** What a flow is given: requests to send, step by step, and what is known of the deployment. */
export class Steps {
  readonly known: Known;
  readonly target: Target;
  /** Why parts of the flow were not possible. */
  readonly impossible: NotTested[] = [];
  readonly #options: StepsOptions;
  #proposals = 0;
  #disturbances = 0;

  constructor(options: StepsOptions) {
    this.#options = options;
    this.known = options.known;
    this.target = options.target;
  }

  /** Sends one request. Throws `Unanswered` where no response came, `NotTested` where the run may not send it. */
  async send(step: string, { as = 'primary', ...request }: Asked): Promise<Completed> {
    const { session, flow, goesFirst } = this.#options;
    const credential = typeof as === 'string' ? this.credential(as) : as;
    const call = { ...request, credential, goesFirst, step: `${flow}: ${step}` };
    return completed(historyExchange(await session.send(call)));
  }

  /**
   * Sends a request that changes nothing, unless another flow of this run got a response to the same request. A request
   * without a response is not shared.
   */
  async sendOnce(step: string, asked: Asked): Promise<Completed> {
    const key = JSON.stringify([asked.as ?? 'primary', asked.tool, asked.args]);
    const { shared } = this.#options;
    let failed: Promise<Completed> | undefined;
    for (;;) {
      const sent = shared.get(key);
      if (sent === undefined || sent === failed) break;
      try {
        return await sent;
      } catch {
        failed = sent;
      }
    }
    const own = this.send(step, asked);
    shared.set(key, own);
    return await own;
  }

  /** Sends a request for an open question; undefined where no response came. `what` names what it tries. */
  async observe(question: QuestionId, what: string, request: Asked): Promise<Completed | undefined> {
    try {
      return await this.send(`observe ${question} ${what}`.trimEnd(), { ...request, observes: { question, what } });
    } catch (error) {
      if (error instanceof Unanswered) return undefined;
      throw error;
    }
  }

  /** Sends requests side by side. If an intermediary closes the connection of a request, its response is left out. */
  async sendAll(step: string, requests: readonly Asked[]): Promise<Completed[]> {
    const responses = await Promise.all(requests.map((request) => this.#sendOrRefused(step, request)));
    return responses.filter((response) => response !== undefined);
  }

  /** Sends a request; undefined if no response came to one that intermediaries commonly refuse. */
  async #sendOrRefused(step: string, asked: Asked): Promise<Completed | undefined> {
    try {
      return await this.send(step, asked);
    } catch (error) {
      const exchange = error instanceof Unanswered ? error.exchange : undefined;
      if (exchange !== undefined && isRefusable(exchange.request)) return undefined;
      throw error;
    }
  }

  /** Sends the same request several times at one moment, fewer where what is left of images allows no more. */
  async sendTogether(step: string, { as = 'primary', ...request }: Asked, most: number): Promise<Completed[]> {
    const { session, flow } = this.#options;
    const credential = typeof as === 'string' ? this.credential(as) : as;
    const answered = await session.sendAtOnce({ ...request, credential, step: `${flow}: ${step}` }, most);
    return answered.map((each) => completed(historyExchange(each)));
  }

  /** The first of these requests whose response is as wanted; undefined where none is. */
  async firstAccepted(
    step: string,
    requests: Iterable<Asked>,
    wanted: (response: Completed) => boolean,
  ): Promise<{ request: Asked; exchange: Completed } | undefined> {
    for (const request of requests) {
      const exchange = await this.send(step, request);
      if (wanted(exchange)) return { request, exchange };
    }
    return undefined;
  }

  /** A part of the flow that others do not depend on: where it is not possible, the flow goes on behind it. */
  async part(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof NotTested)) throw error;
      this.impossible.push(error);
    }
  }

  /** Ends the flow, or the part of it, since its next step is not possible. */
  cannot(reason: string, ...missing: readonly Missing[]): never {
    throw new NotTested(reason, missing);
  }

  /** Lets time pass on the deployment: by its clock where it can be moved, otherwise by waiting. */
  async pass(minutes: number, why: string): Promise<void> {
    const { session, target } = this.#options;
    if (target.clock !== undefined) return session.advance(minutes * 60);
    session.budget.require('waiting');
    await session.wait(minutes * 60, why);
  }

  /** Lets so many minutes pass since an exchange, less what the clock was moved since, as for a rate limit. */
  async passSince({ clockMoved }: Completed, minutes: number, why: string): Promise<void> {
    const moved = (this.#options.session.time.movedMs - clockMoved) / 60_000;
    if (moved < minutes) await this.pass(minutes - moved, why);
  }

  /** What was confirmed and dispatched last, by whichever flow: each costs an image. */
  get dispatched(): { id: string; args: Args } | undefined {
    return this.#options.session.spending.dispatched;
  }

  /** Lets seconds pass for a rate limit: by the clock where it can be moved, otherwise by waiting. */
  async elapse(seconds: number, why: string): Promise<void> {
    const { session, target } = this.#options;
    if (target.clock !== undefined) return session.advance(seconds);
    await this.waitOut(seconds, why);
  }

  /** Waits for a rate limit in real time, as long as the pace allows. */
  async waitOut(seconds: number, why: string): Promise<void> {
    if (seconds > this.target.pace.maxWaitSeconds) {
      this.cannot(`the test needs a wait of ${seconds} s, which is longer than maxWaitSeconds`, {
        kind: 'setting',
        setting: 'pace.maxWaitSeconds',
      });
    }
    await this.#options.session.wait(seconds, why);
  }

  /** How often a situation is brought about anew in which somebody else may have moved the clock. */
  get mostRepetitions(): number {
    return this.target.clock === undefined ? 1 : timesToCount;
  }

  /** Waits for a moment that differs from run to run, so that two runs that disturb each other stop doing so. */
  async disturbance(): Promise<void> {
    const { session, seed, flow } = this.#options;
    this.#disturbances += 1;
    const fraction = seededFraction(seed, `${this.known.runId} ${flow} ${this.#disturbances}`);
    await session.wait(0.05 + fraction * 0.4, 'another run may have moved the clock');
  }

  has(role: Role): boolean {
    return this.target.keys[role] !== undefined;
  }

  key(role: Role): RoleKey {
    const key = this.target.keys[role];
    return key ?? this.cannot(`no key for the role '${role}'`, { kind: 'role', role });
  }

  setting(name: Setting): string {
    const value = this.known[name];
    return (
      value ??
      this.cannot(`not configured, and not found: ${settings[name]}`, { kind: 'setting', setting: settings[name] })
    );
  }

  /**
   * The request of `images.generate` that preflight found to be accepted, such as `{ workspace: 'north', board:
   * 'brd_fad57173b2ec', brief: 'tck gw9j9mt9: a plain grey square', count: 1, shape: '1:1' }`.
   */
  proposal(): Args {
    return this.known.proposal ?? this.cannot(this.known.noProposal ?? 'no proposal was accepted');
  }

  /**
   * The request of `content.create_request` that preflight found to be accepted, such as `{ workspace: 'north', format:
   * 'posts', day: '2030-01-16', title: 'tck gw9j9mt9 preflight' }`: the day is 9 days ahead.
   */
  contentRequest(): Args {
    return this.known.contentRequest ?? this.cannot(this.known.noContentRequest ?? 'no content request was accepted');
  }

  /** Arguments that put a request of `primary` into the workspace worked in. */
  here(args: Args = {}): Args {
    return this.known.workspace === undefined ? args : { workspace: this.known.workspace, ...args };
  }

  /** A name for each proposal of this flow: two proposals never share one. A service may refuse digits in a brief. */
  nextProposal(): string {
    this.#proposals += 1;
    const letters = String(this.#proposals).replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));
    return `${this.#options.flow} ${letters}`;
  }

  /** A text that nobody has used, the same for the same seed and purpose. */
  text(purpose: string, length = 16): string {
    return seededText(this.#options.seed, purpose, length);
  }

  /** Ends the flow, or the part of it, where the run does not allow this side effect. */
  require(effect: Effect): void {
    this.#options.session.budget.require(effect);
  }

  credential(role: Role): Credential {
    return (
      this.#options.session.credential(role) ?? this.cannot(`no key for the role '${role}'`, { kind: 'role', role })
    );
  }
}

function completed(exchange: ReturnType<typeof historyExchange>): Completed {
  if (!isCompleted(exchange)) throw new Error('a response was expected');
  return exchange;
}
