import { contractSha256, documentVersion } from '../../fixtures/contract/describe.ts';
import type { QuestionId } from '../../fixtures/open-questions.ts';
import { type RequirementId, requirements } from '../../fixtures/requirements/index.ts';
import type { Exchange } from '../exchange.ts';
import type { Flow, Use } from '../flows/flow.ts';
import { flows as allFlows } from '../flows/index.ts';
import { redactValue } from '../history/redaction/values.ts';
import { answers } from '../observations/index.ts';
import type { Told } from '../observations/told.ts';
import type { RunEvent, RunResult } from '../result.ts';
import { rules as allRules } from '../rules/index.ts';
import { requirementsAsOf } from '../selection.ts';
import { Session } from '../session/session.ts';
import type { Target } from '../target.ts';
import { tryAgain } from './attempts.ts';
import { chosenObserving, isAsked, selectedIds, testingFlows } from './chosen-flows.ts';
import { compile } from './compile.ts';
import { type Explored, explore } from './explore.ts';
import { FlowRun, type Surroundings } from './flows.ts';
import { groundOf } from './ground.ts';
import { Judging } from './judging.ts';
import { knowledgeOf } from './knowledge.ts';
import { type AuditOptions, mostCalls } from './options.ts';
import { ownWordsOfEvents } from './own-words.ts';
import { seededOrder, seededText } from './random.ts';
import { survey } from './survey.ts';
import { lookAgain } from './suspicions.ts';

/** One run, from the first request to the result. */
export class Run {
  readonly #target: Target;
  readonly #options: AuditOptions;
  readonly #onEvent: (event: RunEvent) => void;
  readonly #startedAt: Date;
  readonly #stop = new AbortController();
  readonly #session: Session;
  readonly #requirements: readonly (typeof requirements)[number][];
  readonly #selected: ReadonlySet<RequirementId>;
  readonly #runId: string;
  readonly #judging: Judging;
  readonly #flows: FlowRun;
  #explored: Explored = { found: new Map(), notices: [] };
  /** Requirements that failed once, and were met when they were tried again. */
  #met: ReadonlySet<RequirementId> = new Set();
  #around: Surroundings;

  constructor(target: Target, options: AuditOptions) {
    this.#target = target;
    this.#options = options;
    this.#startedAt = options.startedAt ?? new Date();
    this.#onEvent = (event) => options.onEvent?.(redactValue(event, this.#session.redact, ownWordsOfEvents));
    const { asOf, seed, explore = 0 } = options;
    this.#requirements = requirementsAsOf(requirements, asOf);
    this.#selected = selectedIds(options);
    this.#runId = seededText(seed, `run at ${this.#startedAt.getTime()}`, 8);
    const signal =
      options.signal === undefined ? this.#stop.signal : AbortSignal.any([options.signal, this.#stop.signal]);
    this.#session = new Session(target, signal, this.#onEvent, options.timer, this.#runId);
    const most = mostCalls(target, options);
    this.#session.budget.limitCalls(most);
    const mostRequests = [...most.values()].reduce((sum, count) => sum + count, 0);
    if ((options.exploreShard?.shard.of ?? 1) > 1) this.#session.spending.balances.expectOthers();
    this.#session.listen((exchange, isOver) => isOver && this.#tellRequest(exchange, mostRequests));
    this.#session.limitTime(most, options.maxDurationSeconds, () => this.#stop.abort());
    const { workspaces, shape, keys } = target;
    const ground = groundOf(workspaces, keys.otherAccount, shape, this.#startedAt, this.#runId);
    this.#around = { session: this.#session, target, ground, seed };
    this.#judging = new Judging(
      allRules.filter(({ id }) => this.#selected.has(id) || (explore > 0 && this.#isExplored(id))),
      this.#session,
      () => knowledgeOf(target, this.#around.ground),
    );
    this.#flows = new FlowRun({
      around: () => this.#around,
      flows: this.#chosenFlows(),
      selected: this.#selected,
      judging: this.#judging,
      interrupted: () => this.#interrupted(),
      onEvent: this.#onFinding,
    });
  }

  #tellRequest({ request, credential, answer, problem, durationMs }: Exchange, mostRequests: number): void {
    const { exchanges, spending } = this.#session;
    const mostImages = this.#target.maxImages;
    this.#onEvent({ kind: 'sent', requests: exchanges.length, mostRequests, images: spending.requested, mostImages });
    if (this.#options.verbose !== true) return;
    const what = request.tool ?? URL.parse(request.url)?.pathname ?? request.url;
    const came = answer === null ? (problem ?? 'no response') : String(answer.status);
    this.#onEvent({ kind: 'request', text: `${request.method} ${what} as ${credential.label}: ${came}`, durationMs });
  }

  readonly #onFinding = (event: RunEvent): void => {
    this.#onEvent(event);
    if (this.#options.bail === true && isFailure(event)) this.#stop.abort();
  };

  async end(): Promise<RunResult> {
    try {
      const { ground, notices, trouble: found } = await survey(this.#around);
      // What was called off shows no trouble.
      const trouble = this.#interrupted() ? undefined : found;
      this.#around = { ...this.#around, ground };
      for (const text of notices) this.#onEvent({ kind: 'notice', text });
      await this.#runFlows(trouble);
      notices.push(...this.#flows.faults, ...this.#flows.notices, ...this.#explored.notices);
      this.#options.onHistory?.(this.#judging.history());
      return this.#compile(notices, trouble);
    } finally {
      await this.#session.close();
    }
  }

  #chosenFlows() {
    const { shuffle = false, seed, flows = [] } = this.#options;
    const chosen = testingFlows(this.#selected);
    const observing = chosenObserving(this.#options, this.#selected);
    // What others send meanwhile may be taken for what changes a balance: flows that compare some keep their order.
    const isFirst = ({ lane }: Flow) => lane === 'balances';
    const others = seededOrder(
      chosen.filter((flow) => !isFirst(flow)),
      seed,
    );
    const ordered = shuffle ? [...chosen.filter(isFirst), ...others] : chosen;
    return [...ordered, ...observing, ...flows];
  }

  async #runFlows(trouble: string | undefined): Promise<void> {
    const flows = this.#flows;
    const { feasible } = flows;
    if (trouble !== undefined) flows.leaveOut('the run did not reach the API');
    this.#onEvent({ kind: 'started', requirements: feasible, total: this.#requirements.length });
    // The longest chain of requests is this one; all others fill the gaps that it leaves.
    const balances = this.#preflight().then(() => flows.runLane('balances'));
    const chain = balances.then(() => flows.runLane('images')).then(() => flows.runLane('clock'));
    await Promise.all([chain, flows.runLane('reading'), balances.then(() => flows.runLane('writing'))]);
    // Nothing is sent again to what is not the API.
    if (trouble !== undefined) return;
    await lookAgain(this.#judging, this.#session, () => this.#interrupted());
    this.#met = await tryAgain(this.#judging, this.#session, () => this.#interrupted());
    await flows.runLane('limits');
    await this.#explore();
  }

  async #explore(): Promise<void> {
    const { explore: requests = 0, exploreShard, seed } = this.#options;
    if (requests === 0) return;
    const all = allFlows.filter(({ witnesses }) => witnesses.some((id) => this.#isExplored(id)));
    this.#onEvent({ kind: 'flow-started', flow: 'exploring' });
    this.#explored = await explore({
      steps: () => this.#flows.steps('exploring'),
      judging: this.#judging,
      session: this.#session,
      seed,
      requests,
      shard: exploreShard?.shard,
      imagesOfFlows: all.reduce((sum, { images }) => sum + images, 0),
      interrupted: () => this.#interrupted(),
      onEvent: this.#onFinding,
    });
    await lookAgain(this.#judging, this.#session, () => this.#interrupted());
    this.#onEvent({ kind: 'flow-ended', flow: 'exploring' });
  }

  /** Whether generated requests are judged by this rule: by all that were selected for the shards together. */
  #isExplored(id: RequirementId): boolean {
    const { exploreShard } = this.#options;
    return exploreShard === undefined ? this.#selected.has(id) : exploreShard.only.includes(id);
  }

  /** What preflight learns holds for observations too. */
  async #preflight(): Promise<void> {
    const exploring = (this.#options.explore ?? 0) > 0;
    const uses: Use[] = [];
    if (exploring && this.#target.allow.includes('proposals')) uses.push('proposal');
    if (exploring && this.#target.allow.includes('writes')) uses.push('content');
    await this.#flows.preflight(uses);
    const { openDay } = this.#flows;
    const { ground } = this.#around;
    if (typeof openDay === 'string') this.#around = { ...this.#around, ground: { ...ground, day: openDay } };
  }

  get #observing(): boolean {
    return (this.#options.observe ?? true) === true;
  }

  /** What answers an open question, where the run answers any. */
  #answer(question: QuestionId): readonly Told[] {
    if (!this.#observing && this.#options.observe !== 'recorded') return [];
    return isAsked(question, this.#options, this.#selected) ? answers[question](this.#judging.history()) : [];
  }

  #interrupted(): boolean {
    return this.#stop.signal.aborted || (this.#options.signal?.aborted ?? false);
  }

  #compile(notices: string[], trouble: string | undefined): RunResult {
    const { ground } = this.#around;
    return compile({
      requirements: this.#requirements,
      kitVersion: this.#options.kitVersion ?? '0.0.0',
      label: this.#options.label,
      document: { version: documentVersion, contractSha256 },
      target: this.#target,
      ground,
      seed: this.#options.seed,
      require: this.#options.require,
      runId: this.#runId,
      startedAt: this.#startedAt,
      interrupted: this.#options.signal?.aborted ?? false,
      notices,
      trouble,
      session: this.#session,
      outcomes: this.#flows.outcomes(this.#explored.found, this.#met),
      observed: (question) => this.#answer(question),
    });
  }
}

/** Whether a requirement that must hold was seen to fail. */
function isFailure(event: RunEvent): boolean {
  if (event.kind !== 'requirement-ended' || event.status !== 'failed') return false;
  return requirements.some(({ id, level }) => id === event.requirement && level === 'must');
}
