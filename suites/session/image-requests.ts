import { refusals } from '../../fixtures/contract/codes.ts';
import { type Answered, body, type Exchange, isRefusal, isSuccess, type SentRequest } from '../exchange.ts';
import { isRecord, type JsonRecord, member } from '../json.ts';

/** Whether a request reaches `images.generate`, however its address is written. */
export function reachesImages({ url }: Pick<SentRequest, 'url'>): boolean {
  return /\/images\.generate\/*$/i.test(decoded(URL.parse(url)?.pathname ?? url));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The arguments of a request, also of one that was sent as text; none where it has no JSON object. */
export function argumentsOf({ args, body: text }: Pick<SentRequest, 'args' | 'body'>): JsonRecord {
  if (args !== null) return args;
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** How many images a `count` may be taken for, whatever type it has; 1 where it is no number. */
export function imagesIn(count: unknown): number {
  return imagesOf(Math.ceil(Number(count))) ?? 1;
}

/** A number of images, which is neither a fraction nor beyond counting. */
export function imagesOf(count: unknown): number | undefined {
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

export function isAnswered(exchange: Exchange): exchange is Answered {
  return exchange.answer !== null;
}

/** Whether a response says that images run, be it in contradiction to everything else in it. */
export function saysDispatched(exchange: Exchange): boolean {
  if (!isAnswered(exchange)) return false;
  const { status, run_id } = body(exchange);
  return status === 'dispatched' || (isSuccess(exchange) && typeof run_id === 'string');
}

/**
 * The code of a refusal, by the tool or at the boundary; undefined for every other response. A 429 refuses nothing for
 * good.
 */
export function refusalCode(exchange: Exchange): string | undefined {
  if (!isAnswered(exchange) || saysDispatched(exchange)) return undefined;
  const { status, json } = exchange.answer;
  if (isRefusal(exchange)) return String(body(exchange).code);
  if (status < 400 || status === 429 || status >= 500) return undefined;
  return String(member(json, 'error', 'code') ?? `HTTP ${status}`);
}

const withoutExcuse: readonly string[] = refusals.filter(({ excuses }) => !excuses).map(({ code }) => code);

/** The code of a refusal which says, by a code of the service's own, that what is asked for cannot be paid. */
export function declinedForCredits(exchange: Exchange): string | undefined {
  if (!isAnswered(exchange) || !isRefusal(exchange)) return undefined;
  const { code, message } = body(exchange);
  if (typeof code !== 'string' || withoutExcuse.includes(code)) return undefined;
  return /credit|balance|fund|quota|payment/i.test(`${code} ${message}`) ? code : undefined;
}
