import type { ServerResponse } from 'node:http';
import { boundaryCodes, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { toolNames, tools } from '../../../fixtures/contract/tools.ts';
import { parsed } from '../../../suites/json.ts';
import { boundary, invalidArguments } from '../answers.ts';
import { type Change, pause } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Answer, Fields, Json } from '../model.ts';
import { around, isAnswer, malformed, noSuchTool, step } from '../steps.ts';

/** Writes responses in another form with the same meaning. */
function written(type: string, text: (body: Json) => string, more: Record<string, string> = {}) {
  return (response: ServerResponse, { status, headers, body }: Answer): void => {
    response.writeHead(status, { 'content-type': type, ...headers, ...more });
    response.end(text(body));
  };
}

function finishing(change: (answer: Answer) => Answer): Change {
  return step('finish', (next) => async (c, answer) => change(await next(c, answer)));
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, reversed(one)]),
  );
}

function withMore(value: Json): Json {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, withMore(one)]);
  return { _trace: 'a', ...Object.fromEntries(members), meta: { since: 1 }, error: null };
}

/** Writes issues in another form. */
function issuesAs(change: (issues: { path: string; message: string }[]) => Json): Change {
  return finishing((answer) => {
    const body = answer.body as Fields;
    const { issues } = body;
    // Issues of this server always have this shape.
    return Array.isArray(issues) ? { ...answer, body: { ...body, issues: change(issues as never) } } : answer;
  });
}

let serial = 0;

const argumentNames = new Set(toolNames.flatMap((tool) => Object.keys(tools[tool].arguments.shape)));

function isLargeArray(body: string): boolean {
  const value = parsed(body);
  return Array.isArray(value) && value.length > 100;
}

/**
 * Deployments with slow or unusual but valid HTTP, other orders, other paths of issues, other words, and additional
 * members.
 */
export const transportDeployments: Deployments = {
  uneven: {
    steps: (s) => {
      let count = 0;
      around(s, 'finish', (next) => async (c, answer) => {
        count += 1;
        if (count % 9 === 0) await pause(200);
        return next(c, answer);
      });
    },
  },
  'in-pieces': {
    write(response, { status, headers, body }) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      const text = JSON.stringify(body);
      for (let index = 0; index < text.length; index += 7) response.write(text.slice(index, index + 7));
      response.end();
    },
  },
  'connections-closed': { write: written('application/json', (body) => JSON.stringify(body), { connection: 'close' }) },
  'early-hints': {
    write(response, { status, headers, body }) {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    },
  },
  pretty: { write: written('application/json', (body) => `\n\n${JSON.stringify(body, null, 4)}\n`) },
  escaped: {
    write: written('application/json', (body) =>
      JSON.stringify(body).replace(/[^\x20-\x7e]|[<>&'/]/g, (one) => {
        return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
      }),
    ),
  },
  'media-type-in-capitals': {
    write: written('Application/JSON ; Charset="UTF-8"; profile=x', (body) => JSON.stringify(body)),
  },
  'volatile-headers': {
    steps: finishing((answer) => {
      serial += 1;
      const own = {
        'x-request-id': `r-${serial}`,
        'set-cookie': `s=${serial}; HttpOnly`,
        'x-ratelimit-remaining': String(1000 - (serial % 1000)),
        'server-timing': `app;dur=${serial % 13}`,
        traceparent: `00-${serial}-01`,
        age: String(serial % 4),
      };
      return { ...answer, headers: { ...answer.headers, ...own } };
    }),
  },
  'challenge-on-401': {
    steps: finishing((answer) =>
      answer.status === 401
        ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer realm="tools"' } }
        : answer,
    ),
  },
  reversed: { steps: finishing((answer) => ({ ...answer, body: reversed(answer.body) })) },
  'more-members': {
    steps: finishing((answer) => (answer.status === 200 ? { ...answer, body: withMore(answer.body) } : answer)),
  },
  incidents: {
    steps: finishing((answer) => {
      serial += 1;
      const body = answer.body as Fields;
      if (body.ok !== false) return answer;
      return { ...answer, body: { ...body, incident: serial, message: `${body.message} Incident ${serial}.` } };
    }),
  },
  'issues-as-pointers': {
    steps: issuesAs((issues) =>
      issues.map(({ path, message }) =>
        /required|not a property/.test(message)
          ? { path: '', message: `"${path}" ${message}` }
          : { path: `/${path}`, message, keyword: 'type' },
      ),
    ),
  },
  'issues-below-body': {
    steps: (s) => {
      issuesAs((issues) => issues.map(({ path, message }) => ({ path: `body.${path}`, message })))(s);
      finishing((answer) => {
        const invalid = (answer.body as Fields).code === refusalCodes.invalidArguments;
        return invalid ? { ...answer, headers: { ...answer.headers, [responseHeaders.toolError]: 'true' } } : answer;
      })(s);
    },
  },
  'false-on-success': {
    steps: finishing((answer) => {
      const failed = answer.status !== 200;
      const own = { [responseHeaders.toolError]: String(failed) };
      return { ...answer, headers: { ...own, ...answer.headers } };
    }),
  },
  'unknown-tool-before-credential': {
    steps: (s) => around(s, 'handle', (next) => async (c) => (s.recognise(c) === undefined ? noSuchTool() : next(c))),
  },
  'body-before-credential': {
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const known = s.recognise(c);
        if (known === undefined) return next(c);
        const parsed = s.parse({ ...c, tool: known });
        return isAnswer(parsed) ? malformed() : next(c);
      }),
  },
  'closed-before-tool': {
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const key = s.credential(c);
        return (key && s.closed({ ...c, key })) ?? next(c);
      }),
  },
  'workspace-before-arguments': {
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const [key, tool] = [s.credential(c), s.recognise(c)];
        const args = tool === undefined ? {} : s.parse({ ...c, tool });
        const usable = key !== undefined && tool !== undefined && tools[tool].scoped && !isAnswer(args);
        if (!usable || s.closed({ ...c, key, tool }) !== undefined) return next(c);
        const given = (args as Fields).workspace;
        if (given !== undefined && (typeof given !== 'string' || given === '')) return next(c);
        const at = s.resolve({ ...c, key, tool, args: args as Fields });
        return 'slug' in at ? next(c) : at;
      }),
  },
  'large-arrays-are-batches': {
    steps: step(
      'parse',
      (next) => (c) =>
        isLargeArray(c.raw.toString()) ? boundary(400, boundaryCodes.batchTooLarge, 'Send fewer messages.') : next(c),
    ),
  },
  'unknown-fields-refused': {
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const [key, tool] = [s.credential(c), s.recognise(c)];
        if (key === undefined || tool === undefined || s.closed({ ...c, key, tool }) !== undefined) return next(c);
        const args = s.parse({ ...c, tool });
        const names = isAnswer(args) ? [] : Object.keys(args);
        const extra = names.find((name) => !argumentNames.has(name) || tool === 'credits.balance');
        return extra === undefined ? next(c) : invalidArguments([{ path: extra, message: 'is not known' }]);
      }),
  },
};
