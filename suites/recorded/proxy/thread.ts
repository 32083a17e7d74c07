import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Judgement } from '../../evidence/rule-judge.ts';
import type { Finding } from '../../expectations/finding.ts';
import type { Exchange } from '../../history/exchange.ts';
import { member } from '../../json.ts';
import type { RunResult } from '../../result.ts';
import { UsageError } from '../../usage/usage-error.ts';
import { bareExchange, shownTool, withoutTokens } from '../bare.ts';
import { judgingOf } from '../options.ts';
import { Recording } from '../recording.ts';
import { recordedResult } from '../result.ts';
import type { Senders } from '../senders.ts';
import { HarSpool } from './har-spool.ts';
import { weightOf } from './judging-watcher.ts';
import type { FromThread, ShownExchange, ThreadOptions, ToThread } from './messages.ts';
import { recordedIn } from './recorded-in.ts';

/** Maximum number of different findings to print. The report contains the others. */
const mostTold = 1000;

/** Maximum number of unforwarded requests that the report lists. */
const mostProblems = 20;

const placeOf = (number: number) => `request ${number} through the proxy`;

/** Judges the batches of the proxy in a separate thread. */
class Judged {
  readonly #options: ThreadOptions;
  readonly #tell: (message: FromThread) => void;
  readonly #senders: Senders;
  readonly #selected: ReadonlySet<RequirementId>;
  readonly #recording: Recording;
  readonly #har: HarSpool | undefined;
  readonly #told = new Set<string>();
  readonly #problems: string[] = [];

  constructor(options: ThreadOptions, tell: (message: FromThread) => void) {
    const { selected, ways } = judgingOf(options);
    const { baseUrl, har } = options;
    this.#options = options;
    this.#tell = tell;
    this.#selected = selected;
    this.#senders = ways.senders;
    const onFinding = (id: RequirementId, finding: Finding) => this.#found(id, finding);
    this.#recording = new Recording({ ...ways, baseUrl, onFinding }, 1);
    this.#har = har === undefined ? undefined : new HarSpool(har);
  }

  async take(message: ToThread): Promise<void> {
    if (message.kind === 'passed') await this.#judge(message);
    else this.#tell(await this.#end(message));
  }

  async #judge({ passed, bodies, moment }: ToThread & { kind: 'passed' }): Promise<void> {
    for (const recorded of recordedIn(passed, bodies, this.#options.baseUrl)) {
      if (recorded.problem !== undefined && this.#problems.length < mostProblems)
        this.#problems.push(`${placeOf(this.#recording.entries + 1)}: ${recorded.problem}`);
      const exchange = this.#recording.add(recorded);
      if (exchange === undefined) continue;
      this.#har?.add(exchange);
      if (this.#options.tellsExchanges)
        this.#tell({ kind: 'exchange', exchange: shownExchange(exchange, this.#senders) });
    }
    this.#recording.tell(moment);
    await this.#har?.written();
    const bytes = passed.reduce((sum, part) => sum + weightOf(part), 0);
    this.#tell({ kind: 'judged', count: passed.length, bytes });
  }

  /** Returns the result, or the error that prevents it. */
  async #end({ interrupted, passed, unjudged }: ToThread & { kind: 'end' }): Promise<FromThread> {
    try {
      const judgements = this.#recording.end();
      const { isFull } = this.#senders;
      await this.#har?.end(this.#senders.redact(), (exchange) => (isFull ? bareExchange(exchange) : exchange));
      const trouble = troubleOf(unjudged + this.#recording.late, passed);
      return { kind: 'ended', result: this.#result(judgements, trouble, interrupted) };
    } catch (error) {
      if (error instanceof UsageError) return { kind: 'refused', message: error.message };
      throw error;
    }
  }

  #result(all: readonly Judgement[], trouble: readonly string[], interrupted: boolean): RunResult {
    const byId = Map.groupBy(all, ({ id }) => id);
    const startedAt = new Date(this.#options.startedAt);
    return recordedResult({
      ...this.#options,
      kind: 'proxy',
      judgements: new Map([...this.#selected].map((id) => [id, byId.get(id) ?? []])),
      ofClient: this.#recording.ofClient(),
      requests: this.#recording.judged,
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      notices: this.#problems,
      trouble,
      interrupted,
      placeOf,
      redact: this.#senders.redact(),
      isFull: this.#senders.isFull,
    });
  }

  #found(id: RequirementId, { expected, actual, hint, exchanges }: Finding): void {
    const name = JSON.stringify([id, expected, actual]);
    if (this.#told.has(name) || this.#told.size >= mostTold) return;
    this.#told.add(name);
    const redact = this.#senders.redact();
    const shown = (text: string) => (this.#senders.isFull ? '(see the report)' : withoutTokens(redact(text)));
    const finding = { expected: shown(expected), actual: shown(actual), hint: shown(hint) };
    this.#tell({ kind: 'finding', id, finding, places: exchanges.map(({ number }) => placeOf(number)) });
  }
}

function troubleOf(unjudged: number, passed: number): string[] {
  return unjudged === 0 ? [] : [`${unjudged} of ${passed} requests were not judged: too many came at once`];
}

function shownExchange(
  { number, sentAt, receivedAt, sender, request, response }: Exchange,
  senders: Senders,
): ShownExchange {
  const { status, json } = response ?? {};
  const code = member(json, 'code') ?? member(json, 'error', 'code');
  const shown = (text: string) => withoutTokens(senders.redact()(text));
  return {
    number,
    at: sentAt,
    sender: sender.label,
    tool: shownTool(request.tool),
    outcome: [status ?? 'no response', ...(typeof code === 'string' && !senders.isFull ? [shown(code)] : [])].join(' '),
    durationMs: Number.isFinite(receivedAt) ? receivedAt - sentAt : null,
  };
}

/** Nice levels. On Linux, 15 levels leave this thread almost no processor time while another thread is busy. */
const steps = 15;

/** Gives forwarding priority over judging. Only Linux has priorities per thread. */
function giveWay(): void {
  try {
    const priority = Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW);
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), priority);
  } catch {
    // The system is not Linux, or does not permit it.
  }
}

// The proxy starts this file with `ThreadOptions` as its data.
giveWay();
const options = workerData as ThreadOptions;
const judged = new Judged(options, (message) => parentPort?.postMessage(message));
let turn = Promise.resolve();
parentPort?.on('message', (message: ToThread) => {
  // Messages are handled in order, because one may wait until a file is written.
  turn = turn.then(() => judged.take(message));
});
