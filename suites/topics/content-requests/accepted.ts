import { limits } from '../../../fixtures/contract/limits.ts';
import { type Completed, isSuccess } from '../../history/exchange.ts';
import { isPlainRequest, isWorkspaceRefusal } from '../../situations/plain.ts';
import type { Seen } from '../../situations/seen.ts';

export const tool = 'content.create_request';

const dayMs = 24 * 3600 * 1000;

/** Whether the day starts at least 24 hours after the request. It is then in the future in every time zone. */
function isComing({ request, sentAt, clockMoved }: Completed, { knowledge: { clock, startedAt } }: Seen): boolean {
  const day = Date.parse(`${request.args?.day}T00:00:00Z`);
  const exists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(String(request.args?.day));
  return clock && startedAt !== undefined && exists && day >= startedAt + sentAt + clockMoved + dayMs;
}

/**
 * Whether the server must accept a request: it is valid, for a future day, and in a workspace that its key reaches. A
 * request that succeeded counts too.
 */
export function mustBeAccepted(
  exchange: Completed,
  seen: Seen,
  title: (text: string) => boolean = isUsualTitle,
): boolean {
  const { args } = exchange.request;
  return (
    isPlainRequest(exchange, tool, seen) &&
    title(String(args?.title ?? 'untitled')) &&
    (isSuccess(exchange) || (isComing(exchange, seen) && !isWorkspaceRefusal(exchange)))
  );
}

/**
 * Other requirements cover the shortest title, the longest title, and uncommon letters. A server may refuse a title of
 * white space.
 */
const isUsualTitle = (title: string) =>
  /^[\w .:()-]+$/.test(title) &&
  title.trim() !== '' &&
  title.length > limits.title.least &&
  title.length < limits.title.most;

export const isRequest = ({ sender, request, invented }: Completed) =>
  request.tool === tool && sender.kind === 'key' && request.body !== null && invented.length === 0;
