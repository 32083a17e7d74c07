import { sameRequest } from '../../expectations/promises.ts';
import { body, type Completed, isSuccess } from '../../history/exchange.ts';
import { brief, isRecord } from '../../json.ts';
import { row } from '../../model/row.ts';
import { describe } from '../../model/words.ts';
import { hasObjectOrNoBody } from '../../situations/scope.ts';
import { story } from '../story.ts';
import { sourceOf } from '../workspaces/named-workspaces.ts';
import { isElsewhere } from '../workspaces/reach.ts';

const hint =
  'Read bodies with the header transfer-encoding: chunked, too. Some gateways and WSGI servers drop them: let the ' +
  'server in front pass the body with its length, or refuse it with 411.';

/** Sends bodies in chunks. Many servers read only as many bytes as the header content-length says. */
export const chunkedBodies = story('bodies in chunks', {
  steps: async (t) => {
    for (const tool of ['schedule.read', 'content.status'] as const) {
      await t.sendOnce('send the usual body', { tool, args: t.here() });
      await t.send('send the same body in chunks', { tool, args: t.here(), chunked: true });
    }
    for (const body of ['"text"', '{"workspace": ']) {
      await t.send('send chunks that are not a JSON object', { tool: 'schedule.read', body, chunked: true });
    }
  },
  requirements: [
    row('bodies.chunked', {
      must: 'The server MUST NOT ignore a body that comes in chunks.',
      source: 'Endpoints, first paragraph',
      judges: 'chunked bodies',
      applies: ({ response }) => response.status !== 429,
      twin: (exchange, seen) =>
        hasObjectOrNoBody(exchange) ? sameRequest(exchange, seen) : { succeeded: seen.successes.any },
      expect: (exchange) => {
        const { args } = exchange.request;
        // The server, or an intermediary, may refuse such bodies, for example with 411.
        if (isRead(exchange)) return undefined;
        const source = sourceOf(exchange);
        const from = source === undefined ? '' : `, working_in.source ${brief(source)}`;
        return {
          expected:
            args === null
              ? 'a refusal with HTTP 400 of chunks that are no JSON object'
              : `a result of the workspace ${brief(args.workspace)} for a body in chunks`,
          actual: `${describe(exchange)}${from}`,
          hint,
        };
      },
    }),
  ],
});

/** Sources that a workspace has only if the request named none. A pinned key may keep its source. */
const withoutArgument: readonly unknown[] = ['stored-default', 'sole-reachable'];

/** Whether a server read the body, or refused its form. If it ignores the body, it chooses a workspace by itself. */
function isRead(exchange: Completed): boolean {
  const { status, json } = exchange.response;
  if (exchange.request.args === null) return status >= 400 && status !== 500;
  if (status >= 400) return status === 411 || status === 413 || status === 501 || !isRecord(json);
  // Another requirement covers a result that names no workspace.
  const isHere = typeof body(exchange).workspace !== 'string' || !isElsewhere(exchange);
  return isSuccess(exchange) && isHere && !withoutArgument.includes(sourceOf(exchange));
}
