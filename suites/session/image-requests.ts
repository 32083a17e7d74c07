import { toolReached, tools } from '../../fixtures/contract/tools.ts';
import {
  body,
  type Completed,
  type Exchange,
  isCompleted,
  isRefusal,
  isSuccess,
  type Request,
} from '../exchange/exchange.ts';
import { type JsonRecord, member, membersOf } from '../json.ts';
import { isDispatch } from '../model/world/ids.ts';
import type { LeftBehind } from '../result.ts';

/** Returns whether a request reaches `images.generate`, however the URL spells it. */
export function reachesImages({ url }: Pick<Request, 'url'>): boolean {
  return toolReached(url) === 'images.generate';
}

/**
 * Returns whether a proposal contains more than the specification describes: parameters, headers, arguments, or an
 * empty ID.
 */
export function isUnusual(request: Pick<Request, 'url' | 'headers' | 'args' | 'body'>): boolean {
  const described = tools['images.generate'].arguments.shape;
  return (
    request.url.includes('?') ||
    request.headers.some(([name]) => !['authorization', 'content-type'].includes(name.toLowerCase())) ||
    Object.keys(argumentsOf(request)).some((name) => name === 'confirmation_id' || !Object.hasOwn(described, name))
  );
}

/** Returns the arguments of a request, even if sent as text. Returns `{}` if the body is not a JSON object. */
export function argumentsOf({ args, body: text }: Pick<Request, 'args' | 'body'>): JsonRecord {
  return args ?? membersOf(text);
}

/** Returns how many images a `count` of any type may mean; 1 if it is not a positive number. */
export function imagesIn(count: unknown): number {
  return imagesOf(Math.ceil(Number(count))) ?? 1;
}

/** Returns a number of images; undefined unless it is a positive safe integer. */
export function imagesOf(count: unknown): number | undefined {
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

/**
 * Returns the code of a refusal or of an error response; undefined for other responses. A 429 refuses nothing
 * permanently.
 */
export function refusalCode(exchange: Exchange): string | undefined {
  if (!isCompleted(exchange) || isDispatch(exchange)) return undefined;
  const { status, json } = exchange.response;
  if (isRefusal(exchange)) return String(body(exchange).code);
  if (status < 400 || status === 429 || status >= 500) return undefined;
  return String(member(json, 'error', 'code') ?? `HTTP ${status}`);
}

/** A response other than a refusal or a 429 may have created something, and so may a missing response. */
export function mayHaveCreated(exchange: Exchange): boolean {
  return refusalCode(exchange) === undefined && exchange.response?.status !== 429;
}

/** Changes that the run made to the deployment, according to the responses. */
export class Ledger {
  readonly leftBehind: LeftBehind = { contentRequests: [], runs: [], proposals: 0 };
  /** Images that responses to correct confirmations report as dispatched. */
  imagesConfirmed = 0;

  /** Records a created content request. A response without a `piece_id` shows none. */
  contentRequest(exchange: Completed): void {
    const { piece_id: pieceId } = body(exchange);
    if (!isSuccess(exchange) || typeof pieceId !== 'string' || pieceId === '') return;
    const title = exchange.request.args?.title;
    this.leftBehind.contentRequests.push({
      pieceId: short(pieceId),
      workspace: workspaceOf(exchange),
      title: typeof title === 'string' ? title : null,
    });
  }

  /** Records a proposal or a dispatch. A response cannot claim more images than were reserved for it. */
  images(exchange: Completed, most: number, confirmed: boolean): void {
    const { count, run_id: runId } = body(exchange);
    if (!isDispatch(exchange)) {
      if (isSuccess(exchange)) this.leftBehind.proposals += 1;
      return;
    }
    const images = Math.min(imagesOf(count) ?? most, most);
    if (confirmed) this.imagesConfirmed += images;
    this.leftBehind.runs.push({ runId: short(runId), workspace: workspaceOf(exchange), images });
  }
}

function workspaceOf(exchange: Completed): string {
  const { workspace } = body(exchange);
  return typeof workspace === 'string' ? short(workspace) : '(not named)';
}

/** Truncates an ID, because a very long one would fill the report. */
function short(id: unknown): string {
  return String(id).slice(0, 200);
}
