import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import { ClientJudge } from '../clients/judge.ts';
import type { ClientRule } from '../clients/rule.ts';
import type { Exchange, Headers } from '../exchange/exchange.ts';
import type { Knowledge } from '../exchange/history.ts';
import type { Redact } from '../exchange/redactor.ts';
import { Judge } from '../model/judge/judge.ts';
import type { Judgement } from '../model/judge/judgement.ts';
import type { OnFinding } from '../model/judge/response-judge.ts';
import type { Rule } from '../model/rule.ts';
import type { Target } from '../target/target.ts';
import { deploymentOf, knowledgeOf } from '../topics/deployment.ts';
import { historyExchange } from './exchange.ts';
import { stubBase } from './read.ts';
import { type Assumption, addressOf, normalizedBase, type Recorded } from './recorded.ts';
import type { Senders } from './senders.ts';
import { Sequence } from './sequence.ts';

/** Options for judging recorded traffic. */
export interface Ways {
  readonly rules: readonly Rule[];
  readonly senders: Senders;
  /** Configuration of the deployment, if there is one. */
  readonly target: Target | undefined;
  /** Base URL of the judged deployment. Default: that of the first response but a redirect. */
  readonly baseUrl: string | undefined;
  readonly assumed: readonly Assumption[];
  readonly onFinding?: OnFinding;
  /** Rules for the client, if a single client sent all requests. */
  readonly clientRules?: readonly ClientRule[];
}

/** A request to a tool, with its position among all recorded entries. */
interface Entry {
  readonly recorded: Recorded;
  readonly base: string;
  readonly tool: string;
  readonly number: number;
}

/** Maximum number of requests that wait for the first response. */
const mostEarly = 100;

/** Whether a deployment responded, and not only with a redirect to another address or protocol. */
function isAnswered({ response }: Recorded): boolean {
  return response !== null && response.status >= 200 && Math.floor(response.status / 100) !== 3;
}

/** One recording, judged as a separate history, because the clocks of two recordings may differ. */
export class Recording {
  readonly #ways: Ways;
  readonly #first: number;
  /** Base URL of the judged deployment, once it is known. */
  baseUrl: string | undefined;
  /** The judges of the recording, once a request is judged. */
  #judging: ReturnType<typeof judgingFrom> | undefined;
  /** Entries of any kind, judged requests, and requests to other deployments by base URL. */
  entries = 0;
  judged = 0;
  readonly others = new Map<string, number>();
  /** Judged requests whose response lacks its body, or has one that cannot be decoded. */
  unread = 0;
  /** Entries that are no requests, for example because their date is malformed. */
  malformed = 0;
  /** Requests before the first response, which shows the base URL. */
  readonly #early: Entry[] = [];

  /** @param first number of the first exchange */
  constructor(ways: Ways, first: number) {
    this.#ways = ways;
    this.#first = first;
    this.baseUrl = ways.baseUrl === undefined ? undefined : normalizedBase(ways.baseUrl);
  }

  /** Describes what was not judged, and why. */
  get notJudged(): string[] {
    const { unread, malformed, entries } = this;
    const notes = [
      [malformed, 'malformed and not judged'],
      [unread, 'judged without the body of the response, which is missing or cannot be decoded'],
    ] as const;
    return notes.flatMap(([count, what]) => (count === 0 ? [] : `${count} of ${entries} entries: ${what}`));
  }

  /** Number of requests that arrived too long after later ones to be judged. */
  get late(): number {
    return this.#judging?.sequence.late ?? 0;
  }

  /** Adds an entry. Returns its exchange if the request belongs to the deployment. */
  add(recorded: Recorded | undefined): Exchange | undefined {
    const number = this.#first + this.entries;
    this.entries += 1;
    const address = recorded && addressOf(recorded.url);
    if (recorded === undefined) this.malformed += 1;
    if (recorded === undefined || address === undefined) return undefined;
    const entry = { recorded, ...address, number };
    if (this.baseUrl !== undefined) return this.#take(entry);
    this.#early.push(entry);
    if (isAnswered(recorded)) this.#takeEarly(address.base);
    else if (this.#early.length > mostEarly) this.#takeEarly(this.#early[0]?.base);
    return undefined;
  }

  #takeEarly(baseUrl: string | undefined): void {
    this.baseUrl ??= baseUrl;
    for (const entry of this.#early.splice(0)) this.#take(entry);
  }

  #take({ recorded, number, ...address }: Entry): Exchange | undefined {
    if (address.base !== this.baseUrl && address.base !== stubBase) {
      this.others.set(address.base, (this.others.get(address.base) ?? 0) + 1);
      return undefined;
    }
    if (recorded.viaServiceWorker === true) return undefined;
    this.judged += 1;
    const sender = recorded.sender ?? this.#ways.senders.of(recorded.requestHeaders);
    this.#judging ??= judgingFrom(recorded, this.#ways);
    this.#ways.senders.learn(recorded);
    const shown = historyExchange(this.#shown(recorded, address.tool), address.tool, number, sender, recorded);
    const { requestBody } = recorded;
    const holdsKey = typeof requestBody === 'string' && this.#ways.senders.redactKeys()(requestBody) !== requestBody;
    // The exchange is `odd`, because a mark differs in length from its key, and the response may repeat the key.
    const exchange = { ...shown, odd: shown.odd || holdsKey };
    if (exchange.response?.unread !== undefined) this.unread += 1;
    this.#judging.sequence.add(exchange);
    return exchange;
  }

  /** Judges all exchanges up to a moment. All requests sent before it must have been added. */
  tell(moment: number): void {
    this.#judging?.sequence.tell(moment);
  }

  end(): Judgement[] {
    this.#takeEarly(this.#early[0]?.base);
    this.#judging?.sequence.end();
    this.#judging?.judge.end();
    return this.#judging?.judge.judgements() ?? [];
  }

  /** Returns the judgements of the client rules; empty if the client is not judged. */
  ofClient(): Judgement<ClientRuleId>[] {
    return this.#judging?.ofClient?.judgements() ?? [];
  }

  /** Returns an entry in the form that is judged and reported. Only a client is judged by the place of its key. */
  #shown(recorded: Recorded, tool: string): Recorded {
    const { senders, clientRules } = this.#ways;
    const requestHeaders = recorded.requestHeaders?.flatMap(([name, value]): Headers => {
      if (name !== 'authorization') return [[name, value]];
      return clientRules === undefined ? [] : misplacedKey(value, senders.redactKeys());
    });
    return senders.hidden({ ...recorded, requestHeaders }, tool);
  }
}

/** Returns judges for a recording that begins with this request. */
function judgingFrom(first: Recorded, ways: Ways) {
  const { rules, clientRules, onFinding } = ways;
  const knowledge = knowledgeFor(ways, first);
  const judge = new Judge(rules, knowledge, onFinding);
  const ofClient = clientRules && new ClientJudge(clientRules, knowledge);
  const sequence = new Sequence(ofClient === undefined ? [judge] : [judge, ofClient]);
  return { sequence, judge, ofClient };
}

/**
 * Returns the header of a key that is not sent as a bearer token. The text around the key may be secret, so it is
 * hidden.
 */
function misplacedKey(given: string, redact: Redact): Headers {
  // Angle brackets in the original value would look like marks.
  if (/[<>]/.test(given)) return [];
  const value = redact(given);
  if (!/<[^<>]+>/.test(value) || /^bearer +<[^<>,]+>$/i.test(value)) return [];
  const [scheme = ''] = /^(?:bearer|basic|token|digest|api-?key) +/i.exec(value) ?? [];
  return [['authorization', scheme + value.slice(scheme.length).replace(/(^|>)[^<>]+/g, '$1*')]];
}

function knowledgeFor({ target, assumed }: Ways, first: Recorded): Knowledge {
  const other = target?.keys.otherAccount;
  const deployment = deploymentOf(target?.workspaces ?? [], other, target?.shape, new Date(0), '');
  return {
    ...knowledgeOf(target ?? { keys: {} }, deployment),
    accounts: { otherAccount: 'other' },
    complete: assumed.includes('complete'),
    clock: assumed.includes('clock') || first.clockMoved !== undefined,
    clockShared: !assumed.includes('complete'),
    roles: target !== undefined,
    headers: first.requestHeaders !== undefined,
  };
}
