import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Exchange as Sent } from '../exchange.ts';
import type { Finding as OldFinding } from '../finding.ts';
import type { Flow, Lane } from '../flows/flow.ts';
import { type Learned, learnContentRequest, learnProposal } from '../flows/preflight.ts';
import { Steps } from '../flows/steps.ts';
import { type Exchange, isCompleted } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { topicOf } from '../named.ts';
import type { RunEvent } from '../result.ts';
import type { Finding } from '../rules/finding.ts';
import { feed, Judge, type Judgement } from '../rules/judge.ts';
import type { Rule } from '../rules/rule.ts';
import { NotTested } from '../session/budget.ts';
import { Unanswered } from '../session/call.ts';
import { historyExchange } from '../session/history.ts';
import { TooLarge } from '../session/too-large.ts';
import type { Surroundings } from './context.ts';
import { describeMissing, missingFor } from './feasible.ts';
import { knowledgeOf } from './knowledge.ts';
import { grouped, type Outcome } from './outcome.ts';

/** How a flow ended, where it did not come to its end. */
interface Ending {
  readonly flow: Flow;
  /** Why it was left out, or why steps of it were not possible. */
  readonly impossible: readonly NotTested[];
  /** No response came, or the kit itself is at fault. */
  readonly errored?: { readonly reason: string; readonly exchange?: Sent; readonly isFault: boolean };
}

/** Suspicions that a run looks into, each with a bounded number of repetitions. */
const mostSuspicions = 24;

/** Runs flows, judges the history of the run by rules, and tells how each requirement of theirs ended. */
export class FlowRun {
  readonly #around: () => Surroundings;
  readonly #flows: readonly Flow[];
  readonly #rules: readonly Rule[];
  readonly #interrupted: () => boolean;
  readonly #endings: Ending[] = [];
  readonly #onEvent: (event: RunEvent) => void;
  readonly #told = new Set<RequirementId>();
  #live: Judge | undefined;
  #leftOut: NotTested | undefined;
  #learned: Learned = {
    proposal: undefined,
    noProposal: undefined,
    contentRequest: undefined,
    noContentRequest: undefined,
  };

  constructor(
    around: () => Surroundings,
    { flows, rules }: { flows: readonly Flow[]; rules: readonly Rule[] },
    selected: ReadonlySet<RequirementId>,
    observing: readonly Flow[],
    interrupted: () => boolean,
    onEvent: (event: RunEvent) => void,
  ) {
    this.#onEvent = onEvent;
    this.#around = around;
    this.#rules = rules.filter(({ id }) => selected.has(id));
    this.#flows = [...flows.filter(({ witnesses }) => witnesses.some((id) => selected.has(id))), ...observing];
    this.#interrupted = interrupted;
  }

  /** How many requirements are tested by the flows that can run. */
  get feasible(): number {
    return new Set(this.#flows.filter((flow) => this.#missing(flow).length === 0).flatMap((flow) => flow.witnesses))
      .size;
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

  /** Finds out what the flows that can run say that they use. */
  async preflight(): Promise<void> {
    const uses = this.#flows.filter((flow) => this.#missing(flow).length === 0).flatMap((flow) => flow.uses);
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
    return this.#interrupted() ? [] : [this.#learned.noContentRequest ?? []].flat();
  }

  /** The day on which content requests are accepted, where preflight found one. */
  get openDay(): unknown {
    return this.#learned.contentRequest?.day;
  }

  async #learn(
    learn: (t: Steps) => Promise<Partial<Learned>>,
    without: (reason: string) => Partial<Learned>,
  ): Promise<void> {
    let learned: Partial<Learned>;
    try {
      learned = await learn(this.#steps('preflight'));
    } catch (error) {
      if (!(error instanceof NotTested) && !(error instanceof Unanswered)) throw error;
      learned = without(error.message);
    }
    this.#learned = { ...this.#learned, ...learned };
  }

  async runLane(lane: Lane): Promise<void> {
    const flows = this.#flows.filter((flow) => flow.lane === lane);
    if (lane === 'reading' || lane === 'writing') await Promise.all(flows.map((flow) => this.#run(flow)));
    else for (const flow of flows) await this.#run(flow);
  }

  /** Repeats the exchanges of what is suspected, in turn, so that it becomes certain or is dropped. */
  async lookAgain(): Promise<void> {
    const looked = new Set<string>();
    for (let number = 0; number < mostSuspicions && !this.#interrupted(); number += 1) {
      // One certain finding of a requirement is enough: others would say the same again, and cost requests.
      const open = this.#judge().filter(({ findings }) => findings.length === 0);
      const all = open.flatMap(({ id, suspicions }) => suspicions.map((each) => ({ id, each })));
      const next = all.find(({ id, each }) => !looked.has(nameOf(id, each)));
      if (next === undefined) return;
      looked.add(nameOf(next.id, next.each));
      await this.#repeat(next.each);
    }
  }

  outcomes(): Outcome[] {
    const leftOut = this.#leftOut;
    if (leftOut === undefined) return this.#judge().map((judgement) => this.#outcome(judgement));
    // What kept all flows from running, such as keys that are not good, must not be blamed on the deployment.
    return this.#rules.map(({ id }) => ({
      check: check({ requirement: id, run: async () => undefined }),
      durationMs: 0,
      ...missingOutcome(leftOut.message, []),
      findings: [],
    }));
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
    const t = this.#steps(flow.name);
    try {
      await flow.run(t);
      this.#endings.push({ flow, impossible: t.impossible });
    } catch (error) {
      if (error instanceof NotTested) this.#endings.push({ flow, impossible: [...t.impossible, error] });
      else this.#endings.push({ flow, impossible: t.impossible, errored: faultOf(error) });
    }
    this.#tell(flow);
  }

  /** Tells how the requirements of a flow stand after it, each once. */
  #tell({ name, witnesses }: Flow): void {
    for (const judgement of this.#judge()) {
      const { id } = judgement;
      if (!witnesses.includes(id) || this.#told.has(id)) continue;
      const { status, findings } = this.#outcome(judgement);
      if (status === 'not-tested') continue;
      this.#told.add(id);
      const [first] = findings;
      this.#onEvent({
        kind: 'check-ended',
        requirement: id,
        topic: topicOf(id),
        title: name,
        status,
        findings: findings.length,
        ...(first === undefined ? {} : { first: { expected: first.expected, actual: first.actual } }),
      });
    }
  }

  async #repeat({ exchanges, uncertain = 0 }: Finding): Promise<void> {
    const { session } = this.#around();
    const numbers = [...new Set(exchanges.map(({ number }) => number))];
    for (let round = 0; round < uncertain; round += 1) {
      for (const number of round % 2 === 0 ? [...numbers].reverse() : numbers) {
        try {
          await session.repeat(number);
        } catch (error) {
          if (error instanceof NotTested || error instanceof Unanswered) return;
          throw error;
        }
      }
    }
  }

  #steps(flow: string): Steps {
    const { session, target, ground, seed } = this.#around();
    return new Steps({ flow, session, target, seed, known: { ...ground, ...this.#learned } });
  }

  #missing(flow: Flow) {
    const { target, ground } = this.#around();
    return missingFor(flow, target, ground);
  }

  /** What happened so far. */
  history(): History {
    const { session, target, ground } = this.#around();
    const exchanges = session.exchanges.filter(isOver).map(historyExchange);
    return { knowledge: knowledgeOf(target, ground), exchanges };
  }

  #judge(): Judgement[] {
    this.#live ??= this.#follow();
    return this.#live.judgements();
  }

  /** Judges what was sent so far, and from now on each exchange as it ends. */
  #follow(): Judge {
    const { knowledge, exchanges } = this.history();
    const live = new Judge(this.#rules, knowledge);
    feed(live, exchanges);
    this.#around().session.listen((sent, isOver) => {
      const exchange = historyExchange(sent);
      if (isOver) live.see(exchange);
      else live.begin(exchange);
    });
    return live;
  }

  #outcome(judgement: Judgement): Outcome {
    const { id, tested, findings, broke } = judgement;
    const outcome = { check: check({ requirement: id, run: async () => undefined }), durationMs: 0 };
    const found = grouped(findings.map((finding) => this.#reported(finding)));
    if (found.length > 0) return { ...outcome, status: 'failed', findings: found };
    if (broke !== undefined) {
      return {
        ...outcome,
        status: 'errored',
        reason: broke.reason,
        exchanges: [this.#sent(broke.exchange)],
        findings: [],
      };
    }
    if (tested > 0) return { ...outcome, status: 'passed', findings: [] };
    return { ...outcome, ...this.#untested(judgement), findings: [] };
  }

  /** Why a requirement was not tested: the flows that would have tested it tell. */
  #untested({ id, deniedBy, declined }: Judgement): Pick<Outcome, 'status' | 'reason' | 'exchanges'> {
    const endings = this.#endings.filter(({ flow }) => flow.witnesses.includes(id));
    const errored = endings.find((ending) => ending.errored !== undefined)?.errored;
    if (this.#interrupted()) {
      return missingOutcome('the run was cut short', [{ kind: 'interruption' }]);
    }
    if (errored !== undefined) {
      const { reason, exchange } = errored;
      return { status: 'errored', reason, ...(exchange === undefined ? {} : { exchanges: [exchange] }) };
    }
    if (declined !== undefined) return missingOutcome(declined, []);
    if (deniedBy !== undefined) return missingOutcome(`precondition failed, see ${deniedBy}`, []);
    const reasons = endings.flatMap(({ impossible }) => impossible);
    const [first] = [...reasons].sort((a, b) => a.missing.length - b.missing.length);
    const exchanges = first instanceof TooLarge ? { exchanges: [first.exchange] } : {};
    if (first !== undefined) return { ...missingOutcome(first.message, [...first.missing]), ...exchanges };
    return missingOutcome('the run sent no request of this kind', []);
  }

  #reported({ expected, actual, hint, exchanges }: Finding): OldFinding {
    return { expected, actual, hint, exchanges: exchanges.map((each) => this.#sent(each)).filter(isAnswered) };
  }

  #sent({ number }: Exchange): Sent {
    const sent = this.#around().session.exchanges[number];
    if (sent === undefined) throw new Error(`the history has no exchange ${number}`);
    return sent;
  }
}

const isAnswered = (sent: Sent): sent is OldFinding['exchanges'][number] => sent.answer !== null;

/** Whether an exchange has its response, or will not get one. */
const isOver = ({ answer, problem }: Sent) => answer !== null || problem !== null;

function missingOutcome(reason: string, missing: NonNullable<Outcome['missing']>) {
  return { status: 'not-tested' as const, reason, missing };
}

function faultOf(error: unknown): NonNullable<Ending['errored']> {
  if (error instanceof Unanswered) {
    const { exchange, message } = error;
    return { reason: message, isFault: false, ...(exchange === undefined ? {} : { exchange }) };
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { reason: `the kit broke: ${what}`, isFault: true };
}

function nameOf(id: RequirementId, { exchanges }: Finding): string {
  const causes = exchanges.filter(isCompleted).map(({ sender, request }) => `${sender.label} ${request.tool}`);
  return [id, ...causes].join('\n');
}
