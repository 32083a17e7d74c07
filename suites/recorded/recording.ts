import { groundOf } from '../engine/ground.ts';
import { knowledgeOf } from '../engine/knowledge.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Knowledge } from '../history/history.ts';
import { Judge, type Judgement, type OnFinding } from '../rules/judge.ts';
import type { Rule } from '../rules/rule.ts';
import type { Target } from '../target.ts';
import type { Assumption } from './assumptions.ts';
import { historyExchange } from './exchange.ts';
import { stubBase } from './kit-files.ts';
import { addressOf, type Recorded } from './recorded.ts';
import type { Senders } from './senders.ts';
import { Sequence } from './sequence.ts';

/** What recorded traffic is judged with. */
export interface Ways {
  readonly rules: readonly Rule[];
  readonly senders: Senders;
  /** What a configuration says of the deployment. */
  readonly target: Target | undefined;
  /** The deployment that is judged; that of the first request where absent. */
  readonly baseUrl: string | undefined;
  readonly assumed: readonly Assumption[];
  readonly onFinding?: OnFinding;
}

/** One recording, judged as a history of its own: the clocks of two may differ. */
export class Recording {
  readonly #ways: Ways;
  readonly #first: number;
  #base: string | undefined;
  #sequence: Sequence | undefined;
  #judge: Judge | undefined;
  /** Requests that were judged, those of other deployments by their address, and entries that are no request. */
  judged = 0;
  readonly others = new Map<string, number>();
  #entries = 0;

  /** @param first the number of its first exchange. */
  constructor(ways: Ways, first: number) {
    this.#ways = ways;
    this.#first = first;
    this.#base = ways.baseUrl;
  }

  get baseUrl(): string | undefined {
    return this.#base;
  }

  /** How many entries it has, of whatever kind. */
  get entries(): number {
    return this.#entries;
  }

  /** Requests that came too far behind later ones to be judged. */
  get late(): number {
    return this.#sequence?.late ?? 0;
  }

  /** The exchange that was added, where it is one of the deployment. */
  add(recorded: Recorded | undefined): Exchange | undefined {
    const number = this.#first + this.#entries;
    this.#entries += 1;
    const address = recorded && addressOf(recorded.url);
    if (recorded === undefined || address === undefined) return undefined;
    this.#base ??= address.base;
    if (address.base !== this.#base && address.base !== stubBase) {
      this.others.set(address.base, (this.others.get(address.base) ?? 0) + 1);
      return undefined;
    }
    this.judged += 1;
    const header = recorded.requestHeaders?.find(([name]) => name === 'authorization')?.[1];
    const sender = recorded.sender ?? this.#ways.senders.of(header);
    this.#sequence ??= this.#open(recorded);
    const exchange = historyExchange(recorded, address.tool, number, sender);
    this.#sequence.add(exchange);
    return exchange;
  }

  /** Judges everything up to a moment: nothing that was sent before it comes any more. */
  tell(moment: number): void {
    this.#sequence?.tell(moment);
  }

  end(): Judgement[] {
    this.#sequence?.end();
    return this.#judge?.judgements() ?? [];
  }

  #open(first: Recorded): Sequence {
    this.#judge = new Judge(this.#ways.rules, knowledgeFor(this.#ways, first), this.#ways.onFinding);
    return new Sequence(this.#judge);
  }
}

function knowledgeFor({ target, assumed }: Ways, first: Recorded): Knowledge {
  const other = target?.keys.otherAccount;
  const ground = groundOf(target?.workspaces ?? [], other, target?.shape, new Date(0), '');
  return {
    ...knowledgeOf(target ?? { keys: {} }, ground),
    accounts: { otherAccount: 'other' },
    complete: assumed.includes('complete'),
    onlyClient: assumed.includes('complete'),
    clock: assumed.includes('clock') || first.clockMoved !== undefined,
    clockShared: !assumed.includes('complete'),
    roles: target !== undefined,
  };
}
