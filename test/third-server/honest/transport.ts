import type { ServerResponse } from 'node:http';
import { boundaryCodes, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { toolNames, tools } from '../../../fixtures/contract/tools.ts';
import { parsed } from '../../../suites/json.ts';
import { boundary, invalidArguments } from '../answers.ts';
import { all, type Change, finishing, pause } from '../changes.ts';
import type { Deployment, Deployments } from '../deployment.ts';
import type { Answer, Call, Fields, Json } from '../model.ts';
import { around, isAnswer, malformed, noSuchTool, type Steps, step } from '../steps.ts';

/** Writes responses in another form with the same meaning. */
function written(
  text: (json: string, body: Fields) => string,
  more: Record<string, string> = {},
  end: (response: ServerResponse, text: string) => unknown = (response, whole) => response.end(whole),
): Deployment {
  return {
    write(response, { status, headers, body }) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers, ...more });
      end(response, text(JSON.stringify(body), body));
    },
  };
}

const unchanged = (json: string): string => json;

/** Adds headers to responses. */
const withHeaders = (more: (answer: Answer) => Answer['headers']): Change =>
  finishing((answer) => ({ headers: { ...more(answer), ...answer.headers } }));

/** Rebuilds every object in a value. */
function rebuilt(value: Json, change: (members: [string, Json][]) => [string, Json][]): Json {
  if (Array.isArray(value)) return value.map((one) => rebuilt(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]): [string, Json] => [name, rebuilt(one, change)]);
  return Object.fromEntries(change(members));
}

/** Writes issues in another form. */
function issuesAs(change: (issue: { path: string; message: string }) => Json): Change {
  return finishing(({ body }) => {
    const { issues } = body;
    // Issues of this server always have this shape.
    return Array.isArray(issues) ? { body: { ...body, issues: issues.map((one) => change(one as never)) } } : undefined;
  });
}

/** Answers some requests before all other steps. */
const beforehand =
  (answer: (call: Call, steps: Steps) => Answer | undefined): Change =>
  (s) =>
    around(s, 'handle', (next) => async (c) => answer(c, s) ?? next(c));

/** Answers some requests of usable keys with an object as body, before arguments are checked. */
const beforeArguments = (answer: (call: Call, steps: Steps) => Answer | undefined): Change =>
  beforehand((c, s) => {
    const [key, tool] = [s.credential(c), s.recognise(c)];
    if (key === undefined || tool === undefined || s.closed({ ...c, key, tool }) !== undefined) return undefined;
    const args = s.parse({ ...c, tool });
    return isAnswer(args) ? undefined : answer({ ...c, key, tool, args }, s);
  });

/** Refuses some bodies with a 400. */
const refusesBody = (code: string, message: string, applies: (raw: string, call: Call) => boolean): Change =>
  step('parse', (next) => (c) => (applies(`${c.raw}`, c) ? boundary(400, code, message) : next(c)));

let serial = 0;

const argumentNames = new Set(toolNames.flatMap((tool) => Object.keys(tools[tool].arguments.shape)));

/**
 * Deployments with slow or unusual but valid HTTP, other orders, other paths of issues, other words, and additional
 * members.
 */
export const transportDeployments: Deployments = {
  uneven: {
    steps: step('finish', (next) => {
      let count = 0;
      return async (c, answer) => {
        count += 1;
        if (count % 9 === 0) await pause(200);
        return next(c, answer);
      };
    }),
  },
  'in-pieces': written(unchanged, {}, (response, text) => {
    for (let index = 0; index < text.length; index += 7) response.write(text.slice(index, index + 7));
    response.end();
  }),
  'length-sometimes': {
    write(response, { status, headers, body }) {
      serial += 1;
      const text = JSON.stringify(body);
      response.writeHead(status, {
        'content-type': 'application/json',
        ...headers,
        ...(serial % 3 === 0 ? { 'content-length': Buffer.byteLength(text) } : {}),
        ...(serial % 7 === 0 ? { connection: 'close' } : {}),
      });
      response.write(text.slice(0, 1));
      response.end(text.slice(1));
    },
  },
  'connections-closed': written(unchanged, { connection: 'close' }),
  'early-hints': {
    write(response, answer) {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      written(unchanged).write?.(response, answer);
    },
  },
  pretty: written((_, body) => `\n\n${JSON.stringify(body, null, 4)}\n`),
  escaped: written((json) =>
    json.replace(/[^\x20-\x7e]|[<>&'/]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ),
  'numbers-with-fractions': written((json) => json.replace(/"(count|total|balance)":(-?\d+)(?=[,}])/g, '"$1":$2.0e0')),
  'media-type-in-capitals': written(unchanged, { 'content-type': 'Application/JSON ; Charset="UTF-8"; profile=x' }),
  'names-of-headers-in-capitals': {
    write(response, { headers, ...answer }) {
      const loud = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
      written(unchanged).write?.(response, { ...answer, headers: Object.fromEntries(loud) });
    },
  },
  'volatile-headers': {
    steps: withHeaders(() => {
      serial += 1;
      return {
        'x-request-id': `r-${serial}`,
        'set-cookie': `s=${serial}; HttpOnly`,
        'x-ratelimit-remaining': String(1000 - (serial % 1000)),
        'server-timing': `app;dur=${serial % 13}`,
        traceparent: `00-${serial}-01`,
        age: String(serial % 4),
      };
    }),
  },
  'challenge-on-401': {
    steps: withHeaders(({ status }) => (status === 401 ? { 'www-authenticate': 'Bearer realm="tools"' } : {})),
  },
  'false-on-success': { steps: withHeaders(({ status }) => ({ [responseHeaders.toolError]: String(status !== 200) })) },
  reversed: {
    steps: finishing(({ body }) => ({ body: rebuilt(body, (members) => members.toReversed()) as Fields })),
  },
  'more-members': {
    steps: finishing(({ status, body }) =>
      status === 200
        ? {
            body: rebuilt(body, (members) => [
              ['_trace', 'a'],
              ...members,
              ['meta', { since: 1 }],
              ['error', null],
            ]) as Fields,
          }
        : undefined,
    ),
  },
  'much-in-answers': {
    steps: finishing(({ status, body }) =>
      status === 200 ? { body: { ...body, trail: 'x'.repeat(20_000) } } : undefined,
    ),
  },
  incidents: {
    steps: finishing(({ body }) => {
      serial += 1;
      if (body.ok !== false) return undefined;
      return { body: { ...body, incident: serial, message: `${body.message} Incident ${serial}.` } };
    }),
  },
  'issues-as-pointers': {
    steps: issuesAs(({ path, message }) =>
      /required|not a property/.test(message)
        ? { path: '', message: `"${path}" ${message}` }
        : { path: `/${path}`, message, keyword: 'type' },
    ),
  },
  'issues-below-body': {
    steps: all(
      issuesAs(({ path, message }) => ({ path: `body.${path}`, message })),
      finishing(({ body, headers }) =>
        body.code === refusalCodes.invalidArguments
          ? { headers: { ...headers, [responseHeaders.toolError]: 'true' } }
          : undefined,
      ),
    ),
  },
  'unknown-tool-before-credential': { steps: beforehand((c, s) => (s.recognise(c) ? undefined : noSuchTool())) },
  'body-before-credential': {
    steps: beforehand((c, s) => {
      const tool = s.recognise(c);
      return tool !== undefined && isAnswer(s.parse({ ...c, tool })) ? malformed() : undefined;
    }),
  },
  'closed-before-tool': {
    steps: beforehand((c, s) => {
      const key = s.credential(c);
      return key && s.closed({ ...c, key });
    }),
  },
  'workspace-before-arguments': {
    steps: beforeArguments((c, s) => {
      const given = c.args.workspace;
      const isBad = given !== undefined && (typeof given !== 'string' || given === '');
      if (!tools[c.tool].scoped || isBad) return undefined;
      const at = s.resolve(c);
      return 'slug' in at ? undefined : at;
    }),
  },
  'unknown-fields-refused': {
    steps: beforeArguments(({ tool, args }) => {
      const extra = Object.keys(args).find((name) => !argumentNames.has(name) || tool === 'credits.balance');
      return extra === undefined ? undefined : invalidArguments([{ path: extra, message: 'is not known' }]);
    }),
  },
  'large-arrays-are-batches': {
    steps: refusesBody(boundaryCodes.batchTooLarge, 'Send fewer messages.', (raw) => {
      const value = parsed(raw);
      return Array.isArray(value) && value.length > 100;
    }),
  },
  'gateway-refuses-large-bodies': {
    steps: refusesBody(boundaryCodes.malformedBody, 'Send less.', ({ length }) => length > 100_000),
  },
  'only-json-bodies': {
    steps: refusesBody(boundaryCodes.malformedBody, 'Send application/json.', (raw, { headers }) => {
      const type = headers['content-type'] ?? 'application/json';
      return raw !== '' && !/^application\/json\s*(;|$)/i.test(type);
    }),
  },
  'scheme-in-one-case': {
    steps: step('credential', (next) => (c) => {
      const isUsual = /^Bearer \S+$/.test(c.headers.authorization ?? '');
      return isUsual ? next(c) : undefined;
    }),
  },
};
