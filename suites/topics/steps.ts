import { type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import type { QuestionId } from '../../fixtures/open-questions.ts';
import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Completed } from '../exchange/exchange.ts';
import type { Missing } from '../result.ts';
import { Disturbed, NotTested } from '../session/budget.ts';
import { type Call, type Credential, effectOf, Unanswered } from '../session/call.ts';
import { bearer } from '../session/credentials.ts';
import type { Session } from '../session/session.ts';
import type { VirtualTime } from '../session/virtual-time.ts';
import type { RoleKey, Target } from '../target/target.ts';
import type { Deployment, TestedDeployment } from './deployment.ts';
import { type Setting, settings } from './needs.ts';
import { seededText } from './random.ts';

export type Args = Readonly<Record<string, unknown>>;

export interface StoryRequest extends Omit<Call, 'tool' | 'credential'> {
  readonly tool: string;
  /** Role or credential of the sender; default: `primary`. */
  readonly as?: Role | Credential;
}

/** Context of all stories. The survey completes `deployment`. */
export interface StoryContext {
  readonly session: Session;
  readonly target: Target;
  readonly deployment: Deployment;
  readonly seed: number;
  readonly time: VirtualTime;
}

interface StepsOptions extends StoryContext {
  readonly story: string;
  /** Number of this run of the story, from 1. */
  readonly attempt: number;
  /** Whether requests of this story precede those of other stories. */
  readonly goesFirst: boolean;
  readonly deployment: TestedDeployment;
  /** Responses that the stories of a run share, by request. */
  readonly shared: Map<string, Promise<Completed>>;
}

/** Lets a story send requests and advance time, and describes the deployment. */
export class Steps {
  readonly deployment: TestedDeployment;
  readonly target: Target;
  /** Number of this run of the story, from 1. */
  readonly attempt: number;
  readonly impossible: NotTested[] = [];
  /** What the responses did not show of requirements that they nevertheless tested. */
  readonly remarks = new Map<RequirementId, string>();
  readonly #options: StepsOptions;
  #proposals = 0;

  constructor(options: StepsOptions) {
    this.#options = options;
    this.deployment = options.deployment;
    this.target = options.target;
    this.attempt = options.attempt;
  }

  /** Sends one request. Throws `Unanswered` without a response, and `NotTested` if the run must not send it. */
  async send(step: string, asked: StoryRequest): Promise<Completed> {
    const { session, goesFirst } = this.#options;
    return session.send({ ...this.#call(step, asked), goesFirst });
  }

  #call(step: string, { as = 'primary', ...request }: StoryRequest): Call {
    const { story } = this.#options;
    const credential = typeof as === 'string' ? this.credential(as) : as;
    return { ...request, credential, story, step: `${story}: ${step}` };
  }

  /**
   * Sends a request, or reuses the response that another story of this run got. Failed requests are not
   * shared.
   */
  async sendOnce(step: string, asked: StoryRequest): Promise<Completed> {
    const key = JSON.stringify([asked.as ?? 'primary', asked.tool, asked.args]);
    const { shared } = this.#options;
    const sent = shared.get(key);
    if (sent !== undefined) return sent.catch(() => this.sendOnce(step, asked));
    const own = this.send(step, asked);
    shared.set(key, own);
    own.catch(() => shared.delete(key));
    return own;
  }

  /** Sends a request for an open question. Returns undefined if there is no response. `what` names the variant. */
  async observe(question: QuestionId, what: string, request: StoryRequest): Promise<Completed | undefined> {
    try {
      return await this.send(`observe ${question} ${what}`.trimEnd(), { ...request, observes: { question, what } });
    } catch (error) {
      if (error instanceof Unanswered) return undefined;
      throw error;
    }
  }

  /** Sends requests in parallel. Leaves out requests whose connection an intermediary closes. */
  async sendInParallel(step: string, requests: readonly StoryRequest[]): Promise<Completed[]> {
    const sendOne = async (asked: StoryRequest): Promise<Completed[]> => {
      try {
        return [await this.send(step, asked)];
      } catch (error) {
        if (error instanceof Unanswered && error.exchange?.refusable === true) return [];
        throw error;
      }
    };
    return (await Promise.all(requests.map(sendOne))).flat();
  }

  /** Sends a request, and another one while the end of its body waits. */
  async sendAround(step: string, outer: StoryRequest, inner: StoryRequest): Promise<Completed> {
    let other: Promise<Completed> | undefined;
    const around = () => (other = this.send(step, inner));
    const response = await this.send(step, { ...outer, odd: true, around });
    await other;
    return response;
  }

  /** Sends a request up to `most` times simultaneously, but fewer times if the remaining images do not suffice. */
  async sendTogether(step: string, asked: StoryRequest, most: number): Promise<Completed[]> {
    return this.#options.session.sendAtOnce(this.#call(step, asked), most);
  }

  /** Runs an independent part of the story. If that part is not possible, the story continues after it. */
  async part(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof NotTested)) throw error;
      this.impossible.push(error);
    }
  }

  /** Ends the story, or the current part, because the next step is not possible. */
  cannot(reason: string, ...missing: readonly Missing[]): never {
    throw new NotTested(reason, missing);
  }

  /** Ends the story, because another client may have disturbed it. The engine runs it again. */
  disturbed(reason: string): never {
    throw new Disturbed(reason);
  }

  /**
   * Lets time pass, by the clock of the deployment or in real time, until an exchange is `minutes` old. Default: from
   * now on. Other stories go on meanwhile.
   */
  async pass(minutes: number, why: string, since?: Completed): Promise<void> {
    const { session, target, time } = this.#options;
    if (target.clock === undefined) session.budget.require('waiting');
    const atMs = (since === undefined ? time.nowMs : since.receivedAt + since.clockMoved) + minutes * 60_000;
    if (atMs > time.nowMs) await time.until(atMs, why);
  }

  /** Minutes since an exchange, by the clock of the deployment. */
  minutesSince({ clockMoved, receivedAt }: Completed): number {
    return (this.#options.time.nowMs - receivedAt - clockMoved) / 60_000;
  }

  /** The last dispatched confirmation of any story, for reuse, because each costs images. */
  get dispatched(): { id: string; args: Args } | undefined {
    return this.#options.session.spending.dispatched;
  }

  /**
   * Waits, without regard to other stories: in real time, or by the clock of the deployment if there is one. Ends the
   * story if a wait in real time exceeds `maxWaitSeconds`.
   */
  async wait(seconds: number, why: string, by: 'real time' | 'clock' = 'real time'): Promise<void> {
    const { session, target } = this.#options;
    if (by === 'clock' && target.clock !== undefined) return session.time.advance(seconds);
    if (seconds > target.pace.maxWaitSeconds) {
      const missing = { kind: 'setting', setting: 'pace.maxWaitSeconds' } as const;
      this.cannot(`the test needs a wait of ${seconds} s, which is longer than maxWaitSeconds`, missing);
    }
    await session.time.wait(seconds, why);
  }

  has(role: Role): boolean {
    return this.target.keys[role] !== undefined;
  }

  present<R extends Role>(roles: readonly R[]): R[] {
    return roles.filter((role) => this.has(role));
  }

  key(role: Role): RoleKey {
    return this.target.keys[role] ?? this.cannot(`no key for the role '${role}'`, { kind: 'role', role });
  }

  setting(name: Setting): string {
    const setting = settings[name];
    const missing = { kind: 'setting', setting } as const;
    return this.deployment[name] ?? this.cannot(`not configured, and not found: ${setting}`, missing);
  }

  /** Returns the proposal that was accepted in preflight. Ends the story if there is none. */
  proposal(): Args {
    const { proposal, noProposal = 'no proposal was accepted' } = this.deployment;
    return proposal ?? this.cannot(noProposal);
  }

  /** Returns the content request that was accepted in preflight. Ends the story if there is none. */
  contentRequest(): Args {
    const { contentRequest, noContentRequest = 'no content request was accepted' } = this.deployment;
    return contentRequest ?? this.cannot(noContentRequest);
  }

  here(args: Args = {}): Args {
    return this.deployment.workspace === undefined ? args : { workspace: this.deployment.workspace, ...args };
  }

  /** Arguments that name the other workspace; none if there is none. */
  get elsewhere(): { workspace: string }[] {
    const { otherWorkspace: workspace } = this.deployment;
    return workspace === undefined ? [] : [{ workspace }];
  }

  /**
   * Returns a unique name for each proposal of the story. It has no digits, because a service may refuse them in a
   * brief.
   */
  nextProposal(): string {
    this.#proposals += 1;
    const number = `${this.attempt === 1 ? '' : this.attempt}${this.#proposals}`;
    const letters = number.replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));
    return `${this.#options.story} ${letters}`;
  }

  /** Returns a random text that depends only on the seed and the purpose. */
  text(purpose: string, length = 16): string {
    return seededText(this.#options.seed, purpose, length);
  }

  /** Returns a name that no tool has or is likely to have. */
  unknownTool(): string {
    return `tck.${this.text('unknown tool')}`;
  }

  /** Returns a slug that no workspace has or is likely to have. */
  unknownWorkspace(): string {
    return `tck-${this.text('unknown workspace')}`;
  }

  /** Returns a number that depends only on the purpose, as the start of a rotation: seeds change no coverage. */
  turn(purpose: string): number {
    return seededText(1, purpose, 16).charCodeAt(0);
  }

  credential(role: Role): Credential {
    return bearer(this.key(role));
  }

  /** Returns the tools that the run may call with the key of a role. */
  toolsFor(role: Role): ToolName[] {
    const credential = this.credential(role);
    return toolNames.filter((tool) => {
      const effect = effectOf({ tool, credential });
      return effect === undefined || this.target.allow.includes(effect);
    });
  }
}
