import { body, type Completed, type Exchange, isChunked, isCompleted } from '../../exchange/exchange.ts';
import { type Knowledge, ownerOf } from '../../exchange/history.ts';
import { Balances } from './balances.ts';
import { ResponsesByReason } from './by-reason.ts';
import { CreatedPieces, pieceIn } from './created.ts';
import { HouseRules, Successes } from './house-rules.ts';
import { Ids, isDispatch } from './ids.ts';
import { Items } from './items.ts';
import { Limits } from './limits.ts';
import { Places } from './places.ts';
import { reasonOf } from './presentation.ts';
import { Firsts } from './remember.ts';

/** State that a history has shown so far, in bounded memory. Rules query the state and keep none themselves. */
export class Seen {
  readonly knowledge: Knowledge;
  readonly places: Places;
  /** First exchange that reported each piece. */
  readonly pieces: Firsts;
  /** Created pieces, with the results that show them. */
  readonly created: CreatedPieces;
  /** Library items that searches found and that `library.get` returned. */
  readonly items: Items;
  readonly successes = new Successes();
  /** Responses that must not depend on their reason, by reason. */
  readonly byReason = new ResponsesByReason();
  /** First dispatch with each run ID, by account. */
  readonly runs: Firsts;
  /** The service's own rules that caused refusals. */
  readonly houseRules = new HouseRules();

  /** Requests without a response so far, by number. */
  readonly #underWay = new Map<number, Exchange>();

  readonly ids = new Ids(this.#underWay);
  readonly balances = new Balances(this.#underWay);
  readonly limits = new Limits(this.#underWay);

  constructor(knowledge: Knowledge) {
    this.knowledge = knowledge;
    this.places = new Places(knowledge.complete);
    this.pieces = new Firsts((exchange) => pieceIn(exchange, knowledge));
    this.runs = new Firsts((exchange) =>
      isDispatch(exchange)
        ? JSON.stringify([ownerOf(exchange.sender.role, knowledge), String(body(exchange).run_id)])
        : undefined,
    );
    this.created = new CreatedPieces(knowledge);
    this.items = new Items(knowledge);
  }

  /** Records a pending request. */
  begin(exchange: Exchange): void {
    this.#underWay.set(exchange.number, exchange);
  }

  /** Records an exchange, before rules judge it. */
  add(exchange: Exchange): void {
    this.#underWay.delete(exchange.number);
    this.ids.add(exchange);
    this.limits.add(exchange);
    this.balances.add(exchange);
    // A server that ignores the body of a request shows nothing about what the body contains.
    if (!isCompleted(exchange) || isChunked(exchange)) return;
    this.pieces.add(exchange);
    this.created.add(exchange);
    if (exchange.request.args !== null) this.#addAsked(exchange);
    this.runs.add(exchange);
    const reason = reasonOf(exchange, this);
    if (reason !== undefined) this.byReason.add(reason.group, reason.reason, exchange, reason.kind);
  }

  /** Records facts that depend on the arguments of the request. */
  #addAsked(exchange: Completed): void {
    this.places.add(exchange);
    const { workspace } = body(exchange);
    const place = typeof workspace === 'string' ? workspace : this.places.of(exchange);
    this.items.add(exchange, place);
    this.successes.add(exchange);
    // A new proposal after confirmation_invalid may be declined because of the earlier one.
    if (this.ids.refusedBefore(exchange) === undefined) this.houseRules.add(exchange);
  }
}
