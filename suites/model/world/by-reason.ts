import { type Completed, precedes, type Response } from '../../exchange/exchange.ts';
import { isRecord } from '../../json.ts';

/** Alternating repetitions that a difference must survive before it counts. */
export const confirmingRounds = 6;

const mostRemembered = confirmingRounds + 2;

/** Limit for all groups together. Later responses are ignored, so they cause no findings. */
const mostResponses = 4000;

/** Returns the parts of a response that must equal the parts of the other response. */
export type PartsOf = (exchange: Completed, other: Completed) => Parts;

interface Entry {
  readonly exchange: Completed;
  /** Kind of the reason. A difference between kinds does not make a part volatile. */
  readonly kind: string;
}

/** Difference between the responses to two reasons. */
export interface Difference {
  readonly parts: readonly string[];
  readonly one: Completed;
  readonly other: Completed;
  /** Whether the difference held over enough repetitions to exclude coincidence. */
  readonly certain: boolean;
}

/**
 * Responses that must be indistinguishable, by group and reason. A part counts only if it is constant for each of two
 * reasons and different between them, or if only one of them has it. Values of volatile parts never count.
 */
export class ResponsesByReason {
  /** By group and reason. */
  readonly #groups = new Map<string, Map<string, Entry[]>>();
  #responses = 0;

  add(group: string, reason: string, exchange: Completed, kind = reason): void {
    const reasons = this.#groups.get(group) ?? new Map<string, Entry[]>();
    const known = reasons.get(reason) ?? [];
    const isFull = known.length >= mostRemembered;
    if (!isFull && this.#responses >= mostResponses) return;
    this.#groups.set(group, reasons);
    reasons.set(reason, known);
    // The latest response replaces the previous one, to show whether a part is still constant. For example, a time may
    // be constant for a second.
    if (isFull) known.pop();
    else this.#responses += 1;
    known.push({ exchange, kind });
  }

  /** Returns the responses to a reason, oldest first. */
  of(group: string, reason: string): readonly Completed[] {
    return (
      this.#groups
        .get(group)
        ?.get(reason)
        ?.map(({ exchange }) => exchange) ?? []
    );
  }

  /** Returns the first such response of a group. */
  first(group: string | undefined, isWanted: (exchange: Completed) => boolean): Completed | undefined {
    return this.#entries(group).find(({ exchange }) => isWanted(exchange))?.exchange;
  }

  /** Returns the difference between two reasons of a group; undefined if they are equal or one has no responses. */
  difference(group: string, one: string, other: string, partsOf: PartsOf): Difference | undefined {
    const [ones, others] = [this.of(group, one), this.of(group, other)];
    const [a, b] = [ones[0], others[0]];
    if (a === undefined || b === undefined) return undefined;
    const [as, bs] = [ones.map((exchange) => partsOf(exchange, b)), others.map((exchange) => partsOf(exchange, a))];
    const parts = differingParts(as[0] ?? new Map(), bs[0] ?? new Map()).filter(
      (name) =>
        isOnlyIn(as, bs, name) ||
        (isConstant(as, name) && isConstant(bs, name) && !this.#isVolatile(group, name, partsOf)),
    );
    if (parts.length === 0) return undefined;
    const isConfirmed = Math.min(as.length, bs.length) > confirmingRounds;
    return { parts, one: a, other: b, certain: isConfirmed && isMixed(ones, others) };
  }

  /** Returns whether a part differs between two responses to one kind of reason. */
  #isVolatile(group: string, name: string, partsOf: PartsOf): boolean {
    const kinds = Map.groupBy(this.#entries(group), ({ kind }) => kind);
    const partIn = (one: Entry, other: Entry) => partsOf(one.exchange, other.exchange).get(name);
    return [...kinds.values()].some(([first, ...rest]) =>
      rest.some((other) => first !== undefined && partIn(first, other) !== partIn(other, first)),
    );
  }

  #entries(group: string | undefined): Entry[] {
    return [...(this.#groups.get(group ?? '')?.values() ?? [])].flat();
  }
}

/**
 * Returns whether the two series overlap in time. Then neither a new release nor a time in the body explains their
 * difference.
 */
function isMixed(ones: readonly Completed[], others: readonly Completed[]): boolean {
  const beginsBefore = ([first]: readonly Completed[], other: readonly Completed[]): boolean => {
    const last = other.at(-1);
    return first !== undefined && last !== undefined && precedes(first, last);
  };
  return beginsBefore(ones, others) && beginsBefore(others, ones);
}

/** Whether all responses to one reason have a part that no response to the other has, whatever its value. */
function isOnlyIn(ones: readonly Parts[], others: readonly Parts[], name: string): boolean {
  const has = (parts: Parts) => parts.has(name);
  return (ones.every(has) && !others.some(has)) || (others.every(has) && !ones.some(has));
}

function isConstant(all: readonly Parts[], name: string): boolean {
  return all.every((parts) => parts.get(name) === all[0]?.get(name));
}

/** Headers that may differ between any two responses, independent of the reason. */
const volatileHeader = new RegExp(
  [
    /^(date|age|set-cookie|connection|keep-alive|transfer-encoding|content-length)$/,
    /(^|-)(request|req|correlation|trace|transaction|span)-?id$/,
    /^(traceparent|tracestate|cf-ray|x-amz-.*|x-amzn-.*|x-b3-.*|x-served-by|x-timer|x-cache.*|via|report-to|nel)$/,
    /rate-?limit/,
    // Response times are observed, never judged.
    /^(server-timing|x-runtime|x-envoy-upstream-service-time|x-kong-(upstream|proxy|response)-latency)$/,
    /(response|process(ing)?|request|upstream|execution|elapsed)-(time|duration)(-ms)?$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Parts of a response that must be the same, by name: members of the body or headers. */
export type Parts = ReadonlyMap<string, string>;

/** Returns every header that counts, with its values. */
export function headerParts({ response }: { response: Pick<Response, 'headers'> }): Parts {
  const parts = new Map<string, string>();
  for (const [name, value] of response.headers) {
    if (volatileHeader.test(name)) continue;
    const before = parts.get(name);
    parts.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return parts;
}

/** Returns the exact body as one part. */
export function textPart(exchange: Completed): Parts {
  return new Map([['body', exchange.response.text]]);
}

/** Returns the body member by member, down to the leaves. A body that is not JSON is one part. */
export function memberParts(exchange: Completed, mask: (text: string) => string = (text) => text): Parts {
  const parts = new Map<string, string>();
  const enter = (value: unknown, at: string): void => {
    if (isRecord(value)) {
      for (const [name, each] of Object.entries(value)) enter(each, `${at}.${name}`);
    } else if (Array.isArray(value)) {
      parts.set(`${at}.length`, String(value.length));
      value.forEach((element, index) => {
        enter(element, `${at}[${index}]`);
      });
    } else {
      parts.set(at, typeof value === 'string' ? JSON.stringify(mask(value)) : mask(JSON.stringify(value)));
    }
  };
  if (exchange.response.json === undefined) return textPart(exchange);
  enter(exchange.response.json, 'body');
  return parts;
}

/** Returns the names of parts that differ, including absent ones. */
export function differingParts(a: Parts, b: Parts): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}
