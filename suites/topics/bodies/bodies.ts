import {
  accountTools,
  isWorkspaceScoped,
  plainTools,
  type ToolName,
  tools,
  toolsWithoutBody,
  toolsWithoutSideEffects,
} from '../../../fixtures/contract/tools.ts';
import { bodyRows } from '../../../fixtures/mutations/bodies.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { body, type Completed, isSuccess } from '../../exchange/exchange.ts';
import { brief, isRecord } from '../../json.ts';
import { success } from '../../model/answers.ts';
import { describe } from '../../model/outcome.ts';
import { malformedBodies as steps } from '../../model/rows/bodies.ts';
import { type Rule, row, sameRequest } from '../../model/rule.ts';
import { hasObjectOrNoBody, isToolRequest } from '../../model/world/scope.ts';
import { unknownKey } from '../authentication/made-credentials.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import { readAll } from '../requests/library.ts';
import { keysInTurn, someOf } from '../requests/mutations.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';
import { sourceOf } from '../workspaces/named-workspaces.ts';
import { isElsewhere } from '../workspaces/reach.ts';

/** Malformed bodies for every tool: one that does not parse, and others that parse to another type than an object. */
export const tellingBodies = ['{"workspace": ', '[]', '"{}"', 'null'];

/** Arrays that are too long or too deep for some servers. */
const oversized = [`[${Array.from({ length: 10_000 }, () => '0').join(',')}]`, '['.repeat(60_000)];

/** Rows of the table whose bodies all go to `schedule.read`, because a requirement covers each kind. */
const wholeRows = ['body.bare-values', 'body.arrays'];

async function refuse(t: Steps, tool: string, bodies: readonly string[]): Promise<void> {
  const requests = bodies.map((body) => ({ tool, body }));
  await t.sendInParallel(`send a body that is not a JSON object to ${tool}`, requests);
}

/** Asks for a compressed response, as most clients do. */
const compressed = { headers: { 'accept-encoding': 'gzip, deflate, br' } };

/** Sends malformed bodies, and bodies that only lenient parsers read. */
export const malformedBodies = story('malformed bodies', {
  steps: async (t) => {
    await readAll(t, 'read', t.here());
    await t.sendOnce('read the balance', { tool: 'credits.balance', args: {} });
    for (const tool of toolsWithoutSideEffects)
      await refuse(t, tool, tool === 'schedule.read' ? oversized : tellingBodies);
    const first = t.turn('tools of lenient bodies');
    const keyOf = keysInTurn(t);
    for (const [index, [row, { values }]] of Object.entries(bodyRows).entries()) {
      if (wholeRows.includes(row)) {
        await refuse(t, 'schedule.read', values);
        continue;
      }
      const requests = someOf(t, row, values).map((body, at): StoryRequest => {
        const next = toolsWithoutSideEffects[(first + index + at) % toolsWithoutSideEffects.length];
        // The first body goes to the tool that receives all malformed bodies; the others rotate.
        const tool = at === 0 || next === undefined ? 'schedule.read' : next;
        return { tool, body, as: keyOf(index + at, tool), ...(index % 2 === 0 ? {} : compressed) };
      });
      await t.sendInParallel(`send a body that lenient parsers read: ${row}`, requests);
    }
  },
  alsoTests: [
    ...steps.filter(({ when }) => toolsWithoutSideEffects.some((tool) => when.tool.includes(tool))).map(({ id }) => id),
    ...witnessesOf(400),
  ],
});

/** A tool without required arguments accepts an omitted body. */
const omitted = (tool: ToolName): Rule =>
  row(`bodies.omitted-${tools[tool].slug}`, {
    must: `The server MUST accept \`${tool}\` without a body.`,
    source: 'What the service does, rule 1',
    applies: (exchange) => exchange.request.tool === tool && isToolRequest(exchange) && exchange.request.body === null,
    // The control sends `{}`, because the key may not resolve to a workspace.
    control: (exchange, seen) => sameRequest(exchange, seen, { args: {} }),
    answers: [success],
    hint: 'Treat an omitted body as no arguments, like {}.',
  });

/** Roles whose keys resolve to a workspace without the argument; `primary` may do so. */
const resolving: readonly Role[] = ['defaulted', 'pinned', 'sole', 'primary'];

export const omittedBodies = story('omitted bodies', {
  needs: { roles: [] },
  steps: async (t) => {
    let resolved = 0;
    for (const as of t.present(resolving)) {
      const tools = resolved === 0 ? toolsWithoutBody : (['schedule.read'] as const);
      const sent = await Promise.all(tools.map((tool) => t.sendOnce('send no arguments', { tool, args: {}, as })));
      const accepted = sent.filter(isSuccess).map(({ request }) => request.tool);
      if (accepted.includes('schedule.read')) resolved += 1;
      for (const tool of tools.filter((each) => accepted.includes(each))) await t.send('send no body', { tool, as });
    }
    if (resolved === 0)
      t.cannot('no key that resolves to a workspace without the argument', { kind: 'role', role: 'sole' });
  },
  requirements: toolsWithoutBody.map(omitted),
});

/** Equivalent ways to send one JSON object. */
const writings: readonly ((text: string) => Partial<StoryRequest>)[] = [
  (body) => ({ body, headers: { 'content-type': 'application/json; charset=utf-8' } }),
  (body) => ({ body, headers: { 'content-type': 'application/json;charset=UTF-8' } }),
  (body) => ({ body: `\n${body}\r\n` }),
  (body) => ({ body: JSON.stringify(JSON.parse(body), null, '\t') }),
  (body) => ({ body: body.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`) }),
];

/** Members far below the usual limits of depth and size, of which some languages do not read the long number. */
const furtherMembers = [
  `"tck_deep":${'['.repeat(300)}${']'.repeat(300)}`,
  `"tck_large":"${'x'.repeat(65_000)}"`,
  `"tck_number":${'9'.repeat(5000)}`,
  '"tck_\\ud800":1',
];

/** Equivalent bodies in other encodings, and bodies with additional members. */
export const writtenOtherwise = story('equivalent bodies', {
  steps: async (t) => {
    const tools = [...plainTools, ...accountTools];
    const turn = t.turn('equivalent bodies');
    const argsOf = (tool: ToolName) => (isWorkspaceScoped(tool) ? t.here() : {});
    const toolOf = (index: number) => tools[(turn + index) % tools.length] ?? 'schedule.read';
    for (const [index, write] of writings.entries()) {
      const tool = toolOf(index);
      const args = argsOf(tool);
      await t.sendOnce('send the usual body', { tool, args });
      await t.send('send an equivalent body', { tool, args, ...write(JSON.stringify(args)) });
    }
    for (const [index, member] of furtherMembers.entries()) {
      const tool = toolOf(index);
      const body = JSON.stringify(argsOf(tool));
      const more = `${body.slice(0, -1)}${body === '{}' ? '' : ','}${member}}`;
      await t.send('send a body with additional members', { tool, args: JSON.parse(more), body: more });
    }
  },
  alsoTests: ['arguments.anything-answered'],
});

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
      control: (exchange, seen) => (hasObjectOrNoBody(exchange) ? sameRequest(exchange, seen) : seen.successes.any),
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
        };
      },
      hint:
        'Read bodies with the header transfer-encoding: chunked, too. Some gateways and WSGI servers drop them: let ' +
        'the server in front pass the body with its length, or refuse it with 411.',
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

/** Statuses of a request that ran with some key, or was refused for its key. */
const decided = [200, 401, 403];

/** Whether a request ran with its own key. */
const isOwn = (exchange: Completed) =>
  exchange.sender.kind === 'key' ? isSuccess(exchange) && !isElsewhere(exchange) : exchange.response.status === 401;

/**
 * Sends the headers of a request, then a whole request of another key, and then the rest of the first request. Runs
 * alone, because a later request of the first key would hide a mistake.
 */
export const slowBodies = story('slow bodies', {
  turn: 'last',
  steps: async (t) => {
    const ours: StoryRequest = { tool: 'schedule.read', args: t.here() };
    const unknown = unknownKey(t.key('primary'), t.text('unknown key with a slow body', 32));
    const [other] = t.present(['otherAccount', 'sole', 'pinned']);
    await t.sendOnce('read', ours);
    for (const as of other === undefined ? [unknown] : [other, unknown])
      await t.sendAround('read with two keys in turn', ours, { tool: 'credits.balance', args: {}, as });
    await t.sendAround('read with two keys in turn', { tool: 'schedule.read', args: {}, as: unknown }, ours);
  },
  requirements: [
    row('authentication.own-key-decides', {
      must: 'The server MUST run a request with its own key, even if requests of other keys arrive before the body.',
      source: 'Authentication, 1 and 3',
      severity: 'data-isolation',
      judges: 'every response',
      applies: ({ around, response }) => around !== undefined && decided.includes(response.status),
      control: (exchange, seen) => (exchange.sender.kind === 'key' ? sameRequest(exchange, seen) : seen.successes.any),
      expect: (exchange) => {
        if (isOwn(exchange)) return undefined;
        const { sender, around } = exchange;
        const key = `the key '${sender.label}'`;
        return {
          at: 'exchanges',
          expected: sender.kind === 'key' ? `the result of ${key}` : `HTTP 401 for ${key}`,
          actual: `${describe(exchange)}, after a request of the key '${around?.sender.label}'`,
          exchanges: [...(around === undefined ? [] : [around]), exchange],
        };
      },
      hint: 'Keep the caller with its request, not in a global, a singleton or a thread that serves several.',
    }),
  ],
});
