import { refusal } from '../answer.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { answers, around, type Call, inside, requests, withArgs, withTool } from './mutation.ts';

const tools = [
  ...['content.create_request', 'schedule.read', 'content.status', 'library.search', 'library.get'],
  ...['knowledge.search', 'connections.status', 'credits.balance', 'images.generate'],
];
const bodyValue = ({ received }: Call) => parseJson(received.body.toString('utf8'));

/** 404 and 400: what is called, and with what body. */
export const requestMutations = {
  '404-names-the-tool': answers('404 names the tool', (answer, { tool }) => {
    if (answer.status === 404) inside(answer.body, 'error').message = `There is no tool "${tool}".`;
  }),
  '404-suggests-a-tool': answers('404 suggests a tool whose name begins like the one called', (answer, { tool }) => {
    const like = tools.find((name) => name.slice(0, 5) === tool.slice(0, 5));
    if (answer.status === 404 && like) inside(answer.body, 'error').message = `Did you mean ${like}?`;
  }),
  '404-differs-for-constructor': answers('404 has another message for `constructor`', (answer, { tool }) => {
    if (answer.status === 404 && tool === 'constructor')
      inside(answer.body, 'error').message = 'There is no such tool.';
  }),
  '404-differs-for-long-names': answers('names of more than 100 characters have another code', (answer, { tool }) => {
    if (answer.status === 404 && tool.length > 100) inside(answer.body, 'error').code = 'edge.too_long';
  }),
  'prototype-names-are-tools': around(
    'names of Object.prototype are found among the tools',
    () => async (call, next) => {
      const answer = await next(call.received);
      if (answer.status !== 404 || !(call.tool in {})) return answer;
      const { headers } = answer;
      return {
        ...refusal('invalid_arguments', 'Mend it.', true, { issues: [{ path: '/x', message: 'odd' }] }),
        headers,
      };
    },
  ),
  'prototype-names-fail': answers('names of Object.prototype are HTTP 500', (answer, { tool }) => {
    if (answer.status === 404 && tool in {}) answer.status = 500;
  }),
  'tools-in-any-case': requests('names of tools count in any case', ({ tool, received }) =>
    withTool(received, tools.includes(tool.toLowerCase()) ? tool.toLowerCase() : tool),
  ),
  'tools-by-beginning': requests('a name that only begins with a tool is that tool', ({ tool, received }) =>
    withTool(received, tools.find((name) => tool.startsWith(name)) ?? tool),
  ),
  'tools-with-other-separators': requests('underscores and dashes are as good as the dot', ({ tool, received }) => {
    const flat = (name: string) => name.replaceAll(/[-_.]/g, '');
    return withTool(received, tools.find((name) => flat(name) === flat(tool)) ?? tool);
  }),
  '404-is-a-refusal': around('an unknown tool is a refusal with HTTP 200', () => async (call, next) => {
    const answer = await next(call.received);
    if (answer.status !== 404) return answer;
    const { headers } = answer;
    return {
      ...refusal('unknown_tool', 'No such tool.', true),
      headers: { ...headers, 'x-service-tool-error': 'true' },
    };
  }),
  '404-is-400': answers('an unknown tool is HTTP 400', (answer) => {
    if (answer.status === 404) answer.status = 400;
  }),
  '404-is-403-in-a-family': answers('an unknown tool of a known family is HTTP 403', (answer, { tool }) => {
    if (answer.status === 404 && tools.some((name) => name.split('.')[0] === tool.split('.')[0])) answer.status = 403;
  }),

  'null-body-is-no-body': requests('the body null is no body', (call) =>
    call.received.body.length > 0 && bodyValue(call) === null ? withArgs(call.received, {}) : undefined,
  ),
  'false-body-is-no-body': requests('the body false is no body', (call) =>
    bodyValue(call) === false ? withArgs(call.received, {}) : undefined,
  ),
  'empty-array-is-no-body': requests('an empty array is an empty object', (call) => {
    const value = bodyValue(call);
    return Array.isArray(value) && value.length === 0 ? withArgs(call.received, {}) : undefined;
  }),
  'array-of-one-is-its-entry': requests('an array of one object is that object', (call) => {
    const value = bodyValue(call);
    const only = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
    return isJsonObject(only) ? withArgs(call.received, only) : undefined;
  }),
  'number-body-is-no-body': requests('a number as body is no body', (call) =>
    typeof bodyValue(call) === 'number' ? withArgs(call.received, {}) : undefined,
  ),
  'text-body-is-ignored-on-balance': requests('credits.balance does not look at a body that is not JSON', (call) =>
    call.tool === 'credits.balance' && bodyValue(call) === undefined ? withArgs(call.received, {}) : undefined,
  ),
  'string-body-is-invalid-arguments': around('a JSON string as body is invalid_arguments', () => async (call, next) => {
    const answer = await next(call.received);
    if (answer.status !== 400 || typeof bodyValue(call) !== 'string') return answer;
    const { headers } = answer;
    return {
      ...refusal('invalid_arguments', 'Mend it.', true, { issues: [{ path: '', message: 'an object' }] }),
      headers,
    };
  }),
  'text-body-has-another-code': answers('a body that is not JSON has a code of its own', (answer, call) => {
    if (answer.status === 400 && bodyValue(call) === undefined)
      inside(answer.body, 'error').code = 'tenant_api.not_json';
  }),
  'array-body-has-mcp-code': answers('a small array is tenant_mcp.batch_too_large', (answer, call) => {
    if (answer.status === 400 && Array.isArray(bodyValue(call)))
      inside(answer.body, 'error').code = 'tenant_mcp.batch_too_large';
  }),
  'large-array-is-413': answers('a large array is HTTP 413', (answer) => {
    if (answer.cause === 'batch-too-large') answer.status = 413;
  }),
  'malformed-is-422-on-schedule': answers('a malformed body is HTTP 422 on schedule.read', (answer, { tool }) => {
    if (answer.status === 400 && tool === 'schedule.read') answer.status = 422;
  }),
  'no-body-is-malformed-on-schedule': requests('schedule.read needs a body', ({ tool, received }) =>
    tool === 'schedule.read' && received.body.length === 0 ? { ...received, body: Buffer.from('?') } : undefined,
  ),
  'no-body-is-malformed-on-connections': requests('connections.status needs a body', ({ tool, received }) =>
    tool === 'connections.status' && received.body.length === 0 ? { ...received, body: Buffer.from('?') } : undefined,
  ),
  'no-body-is-malformed-on-balance': requests('credits.balance needs a body', ({ tool, received }) =>
    tool === 'credits.balance' && received.body.length === 0 ? { ...received, body: Buffer.from('?') } : undefined,
  ),
  'unfinished-json-is-mended': requests('a body whose last brace is missing is read all the same', (call) => {
    const mended = parseJson(`${call.received.body.toString('utf8')}}`);
    return bodyValue(call) === undefined && isJsonObject(mended) ? withArgs(call.received, mended) : undefined;
  }),
};
