import type { Completed, Response } from '../history/exchange.ts';
import { isRecord } from '../json.ts';

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
