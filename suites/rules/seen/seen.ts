import { body, type Completed, type Exchange, isCompleted } from '../../history/exchange.ts';
import { type HistoryEvent, type Knowledge, ownerOf } from '../../history/history.ts';
import { Balances } from './balances.ts';
import { ResponsesByCause } from './by-cause.ts';
import { causeOf } from './causes.ts';
import { Choices } from './choices.ts';
import type { Choice } from './choices-made.ts';
import { ClientMemory, type Earlier, nothingEarlier } from './client-memory.ts';
import { Firsts } from './firsts.ts';
import { HouseRules } from './house-rules.ts';
import { Ids, isDispatch } from './ids.ts';
import { Items } from './items.ts';
import { Limits } from './limits.ts';
import { Pieces } from './pieces.ts';
import { Places } from './places.ts';
import { Recoveries } from './recoveries.ts';
import { Successes } from './successes.ts';

/** What a history has shown so far, in bounded memory. Rules ask it; they keep nothing themselves. */
export class Seen {
  readonly knowledge: Knowledge;
  /** Confirmation ids, and what happened to each. */
  readonly ids = new Ids();
  /** Where each key works. */
  readonly places: Places;
  /** Workspaces that refusals listed. */
  readonly choices = new Choices();
  /** The first exchange that told each piece. */
  readonly pieces: Pieces;
  /** Library items that were found. */
  readonly items = new Items();
  /** Requests that succeeded. */
  readonly successes = new Successes();
  /** Responses that must be the same whatever their cause, by this cause. */
  readonly byCause: ResponsesByCause;

  /** The first exchange that dispatched under each run id of an account. */
  readonly #runs = new Firsts();
  /** Requests whose confirmation was refused as invalid. */
  readonly recoveries = new Recoveries();
  /** Rules of the service's own by which it declined. */
  readonly houseRules = new HouseRules();

  /** Balances that were read, and what may have changed them. */
  readonly balances = new Balances();

  /** Rate limits that were met. */
  readonly limits = new Limits();

  /** What a client knew when it sent a request, and what its person said. */
  readonly client: ClientMemory;

  /** What earlier histories of the same client have shown. */
  readonly earlier: Earlier;

  readonly #ofClient: boolean;

  /** @param ofClient whether rules ask what the client knew. */
  constructor(knowledge: Knowledge, ofClient: boolean, earlier: Earlier = nothingEarlier) {
    this.knowledge = knowledge;
    this.#ofClient = ofClient;
    this.places = new Places(knowledge.complete);
    this.pieces = new Pieces(knowledge);
    this.byCause = new ResponsesByCause(knowledge.complete);
    this.earlier = earlier;
    this.client = new ClientMemory(knowledge);
  }

  /** Workspaces that the client chose from lists, in earlier histories too. */
  offeredChoices(): Choice[] {
    return [...this.earlier.choices, ...this.client.choices.all()].filter(({ listed, workspace }) =>
      listed.includes(workspace),
    );
  }

  /** The beginning of another history of the same client. */
  next(knowledge: Knowledge): Seen {
    return new Seen(knowledge, this.#ofClient, this.client.endedWith(this.earlier));
  }

  /** Remembers a request that is under way. */
  begin(exchange: Exchange): void {
    this.ids.begin(exchange);
    this.limits.begin(exchange);
    if (this.#ofClient) this.client.begin(exchange);
  }

  /** Remembers what happened beside exchanges. */
  note(event: HistoryEvent): void {
    this.client.note(event);
  }

  /** Remembers an exchange, before the rules look at it. */
  add(exchange: Exchange): void {
    this.ids.add(exchange);
    this.limits.add(exchange);
    this.balances.add(exchange);
    if (this.#ofClient) this.client.add(exchange);
    if (!isCompleted(exchange)) return;
    this.pieces.add(exchange);
    if (exchange.request.args !== null) this.#addAsked(exchange);
    if (isDispatch(exchange)) this.#runs.add(this.#runOf(exchange), exchange);
    const it = causeOf(exchange, this);
    if (it !== undefined) this.byCause.add(it.group, it.cause, exchange, it.kind);
  }

  /** Remembers what tells something only beside the arguments. */
  #addAsked(exchange: Completed): void {
    this.places.add(exchange);
    const { workspace } = body(exchange);
    this.items.add(exchange, typeof workspace === 'string' ? workspace : this.places.of(exchange));
    this.successes.add(exchange);
    this.choices.add(exchange);
    this.recoveries.add(exchange);
    // What is declined right after confirmation_invalid may be declined for that.
    if (this.recoveries.before(exchange) === undefined) this.houseRules.add(exchange, this.knowledge);
  }

  /** The first exchange that dispatched under the run id of this one. */
  firstRun(exchange: Completed): Completed | undefined {
    return this.#runs.of(this.#runOf(exchange));
  }

  #runOf(exchange: Completed): string {
    return JSON.stringify([ownerOf(exchange.sender.role, this.knowledge), String(body(exchange).run_id)]);
  }
}
