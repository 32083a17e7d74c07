import { groundOf } from '../engine/ground.ts';
import { knowledgeOf } from '../engine/knowledge.ts';
import type { Exchange, Headers } from '../history/exchange.ts';
import type { Knowledge } from '../history/history.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import type { Judgement, OnFinding } from '../rules/docket.ts';
import { Judge } from '../rules/judge.ts';
import type { ClientRule, Rule } from '../rules/rule.ts';
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
  /** Whether headers, query values and bodies stay, except for secrets that are known. */
  readonly recordAll?: boolean;
  /** Rules for the one client that sent everything. */
  readonly clientRules?: readonly ClientRule[];
}

/** One recording, judged as a history of its own: the clocks of two may differ. */
export class Recording {
  readonly #ways: Ways;
  readonly #first: number;
  #base: string | undefined;
  #sequence: Sequence | undefined;
  #judge: Judge | undefined;
  #ofClient: Judge<ClientRule> | undefined;
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
    this.#ways.senders.learn(recorded);
    const shown = historyExchange(this.#shown(recorded, address.tool), address.tool, number, sender, recorded);
    // A mark is not as long as the key in its place, and the response may repeat the key.
    const exchange = { ...shown, odd: shown.odd || this.#holdsKey(recorded.requestBody) };
    this.#sequence.add(exchange);
    return exchange;
  }

  /** Judges everything up to a moment: nothing that was sent before it comes any more. */
  tell(moment: number): void {
    this.#sequence?.tell(moment);
  }

  end(): Judgement[] {
    this.#sequence?.end();
    this.#judge?.end();
    return this.#judge?.judgements() ?? [];
  }

  /** What the rules for clients say; nothing where the client is not judged. */
  ofClient(): Judgement<ClientRule>[] {
    return this.#ofClient?.judgements() ?? [];
  }

  #holdsKey(text: string | null | undefined): boolean {
    return text !== null && text !== undefined && this.#ways.senders.redactKeys()(text) !== text;
  }

  /** An entry as it is judged and reported. */
  #shown(recorded: Recorded, tool: string): Recorded {
    const { senders, recordAll } = this.#ways;
    const isClient = this.#ofClient !== undefined;
    const shown = isClient ? withMisplacedKey(recorded, senders.redactKeys()) : withoutKey(recorded);
    if (recordAll !== true) return senders.hidden(shown, tool);
    return isClient ? withMarks(shown, senders.redactKeys()) : shown;
  }

  #open(first: Recorded): Sequence {
    const { rules, clientRules, onFinding } = this.#ways;
    const knowledge = knowledgeFor(this.#ways, first);
    const judge = new Judge(rules, knowledge, onFinding);
    this.#judge = judge;
    if (clientRules === undefined) return new Sequence(judge);
    const ofClient = new Judge(clientRules, knowledge);
    this.#ofClient = ofClient;
    return new Sequence({
      begin(exchange) {
        judge.begin(exchange);
        ofClient.begin(exchange);
      },
      see(exchange) {
        judge.see(exchange);
        ofClient.see(exchange);
      },
    });
  }
}

function withoutKey(recorded: Recorded): Recorded {
  const { requestHeaders } = recorded;
  return { ...recorded, requestHeaders: requestHeaders?.filter(([name]) => name !== 'authorization') };
}

/** A request with its key only if that is sent in another form than as a bearer token. */
function withMisplacedKey(recorded: Recorded, redact: Redact): Recorded {
  const { requestHeaders } = recorded;
  const headers = requestHeaders?.flatMap(([name, value]) =>
    name === 'authorization' ? misplacedKey(value, redact) : [[name, value] as const],
  );
  return { ...recorded, requestHeaders: headers };
}

/** A request with marks in the place of keys, so that it can be judged where they stand. */
function withMarks(recorded: Recorded, redact: Redact): Recorded {
  const { url, requestBody, requestHeaders } = recorded;
  return {
    ...recorded,
    url: redact(url),
    requestBody: requestBody && redact(requestBody),
    requestHeaders: requestHeaders?.map(([name, value]) => [name, redact(value)]),
  };
}

/** The header of a key that was sent there in another form than as a bearer token; what is around it may be secret. */
function misplacedKey(given: string, redact: Redact): Headers {
  // Brackets of a client look like marks.
  if (/[<>]/.test(given)) return [];
  const value = redact(given);
  if (!/<[^<>]+>/.test(value) || /^bearer +<[^<>,]+>$/i.test(value)) return [];
  const [scheme = ''] = /^(?:bearer|basic|token|digest|api-?key) +/i.exec(value) ?? [];
  return [['authorization', scheme + value.slice(scheme.length).replace(/(^|>)[^<>]+/g, '$1*')]];
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
    headers: first.requestHeaders !== undefined,
  };
}
