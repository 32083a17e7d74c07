import type { Cause } from '../suites/causes/causes.ts';
import { brief, member, membersOf, parsed } from '../suites/json.ts';
import type { ReportedExchange, ReportedFinding } from '../suites/result.ts';
import { counted } from '../suites/usage/counted.ts';

export type Answer = NonNullable<ReportedExchange['response']>;

/** One exchange in the evidence for a finding. */
export interface Link {
  readonly exchange: ReportedExchange;
  /** Role of the exchange: leads to the violation, shows the violation, or is the valid control of the request. */
  readonly part: 'leads' | 'shows' | 'control';
  /** The step that sent the request, with the time since the previous exchange: `present the used id, 31 min later`. */
  readonly what: string;
}

/** Shorter pauses do not matter for a finding. */
const leastPause = 1000;

/**
 * Evidence for a finding, in sending order. Example: the proposal of an ID, its first use, the use that the server must
 * refuse, and the control.
 */
export function chainOf(finding: ReportedFinding, exchanges: readonly ReportedExchange[]): Link[] {
  const all = sentFor(finding, exchanges);
  const control = exchanges.find(({ id }) => id === finding.control);
  const shown = all.filter(({ id }) => finding.exchanges.includes(id));
  const links = all.map((exchange, index): Link => {
    const part = shown.includes(exchange) ? 'shows' : 'leads';
    const before = all[index - 1];
    const pause = before === undefined ? 0 : pauseBetween(before, exchange);
    const later = pause < leastPause ? '' : `${durationText(pause)} later`;
    const what = [stepOf(exchange), later].filter((text) => text !== '').join(', ');
    return { exchange, part, what };
  });
  if (control === undefined || all.includes(control)) return links;
  return [...links, { exchange: control, part: 'control', what: 'send a similar request, which succeeds' }];
}

/** The exchanges that show a finding or lead to it, in sending order. */
function sentFor({ story, exchanges: shown }: ReportedFinding, exchanges: readonly ReportedExchange[]) {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return (story ?? shown).flatMap((id) => byId.get(id) ?? []);
}

/**
 * The two responses of a finding that must not differ, in sending order, if they are refusals or readings of a balance.
 * Undefined if the chain has no such comparison.
 */
export function comparedIn(chain: readonly Link[]): [Answer, Answer] | undefined {
  const shown = chain.filter(({ part }) => part === 'shows').map(({ exchange }) => exchange);
  const [first, second] = shown.map(({ response }) => response);
  if (!first || !second || shown.length > 2) return undefined;
  const isRefusal = ({ response }: ReportedExchange) => membersOf(response?.body).ok !== true;
  const isBalance = ({ tool }: ReportedExchange) => tool === 'credits.balance';
  return shown.every(isRefusal) || shown.every(isBalance) ? [first, second] : undefined;
}

/**
 * The chain as numbered lines with results. Names the tool and the credential only where they change, and joins
 * identical steps: `3-5. present the used ID: HTTP 200, ok false, code "confirmation_invalid"`.
 */
export function stepLines(chain: readonly Link[]): string[] {
  const steps: { text: string; first: number; last: number }[] = [];
  let askedBefore = '';
  for (const [index, { what, exchange }] of chain.entries()) {
    const asked = askedText(exchange);
    const step = asked === askedBefore ? what : `${what} (${asked})`;
    const text = `${what === '' ? asked : step}: ${outcomeText(exchange)}`;
    const before = steps.at(-1);
    if (before?.text === text) before.last = index + 1;
    else steps.push({ text, first: index + 1, last: index + 1 });
    askedBefore = asked;
  }
  return steps.map(({ text, first, last }) => `${first === last ? first : `${first}-${last}`}. ${text}`);
}

function askedText({ tool, request, credential }: ReportedExchange): string {
  return `${tool ?? `${request.method} ${request.url}`} as ${credential}`;
}

function outcomeText(exchange: ReportedExchange): string {
  const { response, problem } = exchange;
  if (response === null) return problem ?? 'no response';
  return [`HTTP ${response.status}`, ...decisiveMembers(exchange)].join(', ');
}

/** The body members that decide the result: `ok false`, `code "board_not_found"`. */
export function decisiveMembers({ response }: ReportedExchange): string[] {
  const { ok, status, code, error } = membersOf(response?.body);
  return Object.entries({ ok, status, code, 'error code': member(error, 'code') }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${brief(value, 80)}`],
  );
}

/** The step name without its story. Empty for recorded traffic. */
export function stepOf({ step = '' }: ReportedExchange): string {
  return step.slice(step.indexOf(': ') + 1).trim();
}

/** Milliseconds between two exchanges on the clock of the deployment. */
export function pauseBetween(one: ReportedExchange, other: ReportedExchange): number {
  return (other.clockMovedMs ?? 0) - (one.clockMovedMs ?? 0) + (other.atMs - one.atMs - one.durationMs);
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const parts = [minutes > 0 && `${minutes} min`, seconds % 60 > 0 && `${seconds % 60} s`];
  return parts.filter(Boolean).join(' ');
}

/** Room for the large array of 10,000 numbers. */
export const longestBody = 25_000;

/** The finding of a cause that can be written as text, with the least side effects and the shortest requests. */
export function repeatableIn({ finding, findings }: Cause, exchanges: readonly ReportedExchange[]) {
  const attempts = [finding, ...findings].map((each) => {
    const chain = sentFor(each, exchanges);
    const costs = costsOf(chain);
    const length = chain.reduce((sum, { request: { url, body } }) => sum + url.length + (body?.length ?? 0), 0);
    const rank = 1e6 * Number(!chain.every(isWritable)) + 1e5 * Number(costs.length > 0) + Math.min(length, 9e4);
    return { finding: each, chain, costs, rank: chain.length === 0 ? Number.POSITIVE_INFINITY : rank };
  });
  return attempts.reduce((best, each) => (each.rank < best.rank ? each : best));
}

function isWritable({ request: { method, url, headers, body } }: ReportedExchange): boolean {
  const isText = [url, body ?? '', ...headers.flat()].every((text) => !/[\0\ufffd]/.test(text));
  return isText && /^[A-Z]+$/.test(method) && (body ?? '').length <= longestBody;
}

/** What the requests of a chain may cost: `spend credits for 2 images`. */
function costsOf(chain: readonly ReportedExchange[]): string[] {
  const images = chain.reduce((sum, exchange) => sum + imagesOf(exchange), 0);
  const created = chain.filter(
    ({ tool, response }) => tool === 'content.create_request' && response?.status === 200,
  ).length;
  return [
    ...(images > 0 ? [`spend credits for ${counted(images, 'image')}`] : []),
    ...(created > 0 ? [`create ${counted(created, 'content request')}`] : []),
  ];
}

/** Images of a confirmation, or of a proposal that the server dispatched. */
function imagesOf(exchange: ReportedExchange): number {
  const { confirmation_id: id, count } = membersOf(exchange.request.body);
  const isDispatched = typeof member(parsed(exchange.response?.body), 'run_id') === 'string';
  if (id === undefined && !isDispatched) return 0;
  return typeof count === 'number' && count > 0 ? count : 1;
}
