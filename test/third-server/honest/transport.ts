import type { ServerResponse } from 'node:http';
import { boundaryCodes, quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { toolNames, tools } from '../../../fixtures/contract/tools.ts';
import { parsed } from '../../../suites/json.ts';
import { boundary, invalidArguments } from '../answers.ts';
import { type Change, pause } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
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
export const transportDeployments: Deployment[] = [
  {
    id: 'slow',
    sentence: 'Every answer takes 25 milliseconds longer.',
    steps: step('finish', (next) => async (c, answer) => {
      await pause(25);
      return next(c, answer);
    }),
  },
  {
    id: 'uneven',
    sentence: 'Every ninth answer takes 200 milliseconds.',
    steps: (s) => {
      let count = 0;
      around(s, 'finish', (next) => async (c, answer) => {
        count += 1;
        if (count % 9 === 0) await pause(200);
        return next(c, answer);
      });
    },
  },
  {
    id: 'in-pieces',
    sentence: 'Bodies come in pieces of seven bytes, without a length.',
    write(response, { status, headers, body }) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      const text = JSON.stringify(body);
      for (let index = 0; index < text.length; index += 7) response.write(text.slice(index, index + 7));
      response.end();
    },
  },
  {
    id: 'connections-closed',
    sentence: 'Connections are closed after every answer.',
    write: written('application/json', (body) => JSON.stringify(body), { connection: 'close' }),
  },
  {
    id: 'early-hints',
    sentence: 'An informational response comes before every answer.',
    write(response, { status, headers, body }) {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    },
  },
  {
    id: 'pretty',
    sentence: 'JSON is indented, and begins and ends with line breaks.',
    write: written('application/json', (body) => `\n\n${JSON.stringify(body, null, 4)}\n`),
  },
  {
    id: 'escaped',
    sentence: 'Every character of a text is escaped.',
    write: written('application/json', (body) =>
      JSON.stringify(body).replace(/[^\x20-\x7e]|[<>&'/]/g, (one) => {
        return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
      }),
    ),
  },
  {
    id: 'media-type-in-capitals',
    sentence: 'The media type is written in capitals, with parameters.',
    write: written('Application/JSON ; Charset="UTF-8"; profile=x', (body) => JSON.stringify(body)),
  },
  {
    id: 'volatile-headers',
    sentence: 'Every answer has request ids, cookies, counters and times of its own.',
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
  {
    id: 'challenge-on-401',
    sentence: 'Every 401 carries `WWW-Authenticate`.',
    steps: finishing((answer) =>
      answer.status === 401
        ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer realm="tools"' } }
        : answer,
    ),
  },
  {
    id: 'reversed',
    sentence: 'Members of every object come in the reverse order.',
    steps: finishing((answer) => ({ ...answer, body: reversed(answer.body) })),
  },
  {
    id: 'more-members',
    sentence: 'Objects of every 200 answer hold further members.',
    steps: finishing((answer) => (answer.status === 200 ? { ...answer, body: withMore(answer.body) } : answer)),
  },
  {
    id: 'in-german',
    sentence: 'Messages are written in German and differ with the time of day.',
    steps: finishing((answer) => {
      const body = answer.body as Fields;
      if (body.ok !== false || body.code === refusalCodes.confirmationInvalid) return answer;
      return { ...answer, body: { ...body, message: `Das geht so nicht. (${Date.now()})` } };
    }),
  },
  {
    id: 'incidents',
    sentence: 'Every refusal carries the number of an incident, in a member and in its message.',
    steps: finishing((answer) => {
      serial += 1;
      const body = answer.body as Fields;
      if (body.ok !== false) return answer;
      return { ...answer, body: { ...body, incident: serial, message: `${body.message} Incident ${serial}.` } };
    }),
  },
  {
    id: 'issues-as-pointers',
    sentence: 'Paths of issues are JSON pointers; missing and unknown fields are told at the object.',
    steps: issuesAs((issues) =>
      issues.map(({ path, message }) =>
        /required|not a property/.test(message)
          ? { path: '', message: `"${path}" ${message}` }
          : { path: `/${path}`, message, keyword: 'type' },
      ),
    ),
  },
  {
    id: 'issues-with-dollar',
    sentence: 'Paths of issues begin with `$.`, and each bad field is told twice.',
    steps: issuesAs((issues) => [...issues, ...issues].map(({ path, message }) => ({ path: `$.${path}`, message }))),
  },
  {
    id: 'issues-below-body',
    sentence: 'Paths of issues begin with `body.`; the header says `true` on invalid arguments.',
    steps: (s) => {
      issuesAs((issues) => issues.map(({ path, message }) => ({ path: `body.${path}`, message })))(s);
      finishing((answer) => {
        const invalid = (answer.body as Fields).code === refusalCodes.invalidArguments;
        return invalid ? { ...answer, headers: { ...answer.headers, [responseHeaders.toolError]: 'true' } } : answer;
      })(s);
    },
  },
  {
    id: 'false-on-success',
    sentence: `Successes carry \`${responseHeaders.toolError}: false\`, and boundary errors \`true\`.`,
    steps: finishing((answer) => {
      const failed = answer.status !== 200;
      const own = { [responseHeaders.toolError]: String(failed) };
      return { ...answer, headers: { ...own, ...answer.headers } };
    }),
  },
  {
    id: 'unknown-tool-before-credential',
    sentence: 'A name that is no tool is a 404 before the key is looked at.',
    steps: (s) => around(s, 'handle', (next) => async (c) => (s.recognise(c) === undefined ? noSuchTool() : next(c))),
  },
  {
    id: 'body-before-credential',
    sentence: 'A malformed body is a 400 before the key is looked at.',
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const known = s.recognise(c);
        if (known === undefined) return next(c);
        const parsed = s.parse({ ...c, tool: known });
        return isAnswer(parsed) ? malformed() : next(c);
      }),
  },
  {
    id: 'closed-before-tool',
    sentence: 'A closed surface is a 403 for every name.',
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const key = s.credential(c);
        return (key && s.closed({ ...c, key })) ?? next(c);
      }),
  },
  {
    id: 'workspace-before-arguments',
    sentence: 'The workspace is resolved before arguments are checked.',
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
  {
    id: 'large-arrays-are-batches',
    sentence: `Arrays of more than 100 messages are ${quoted.batchTooLarge}.`,
    steps: step(
      'parse',
      (next) => (c) =>
        isLargeArray(c.raw.toString()) ? boundary(400, boundaryCodes.batchTooLarge, 'Send fewer messages.') : next(c),
    ),
  },
  {
    id: 'unknown-fields-refused',
    sentence: 'Every tool refuses fields that it does not know, `credits.balance` too.',
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
];
