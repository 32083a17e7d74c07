import { boundaryCodes, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { refusal } from '../answer.ts';
import { isJsonObject, parseJson } from '../json.ts';
import { answers, around, type Call, inside, requests, withArgs } from './mutation.ts';

const tools = [
  ...['content.create_request', 'schedule.read', 'content.status', 'library.search', 'library.get'],
  ...['knowledge.search', 'connections.status', 'credits.balance', 'images.generate'],
];
const bodyValue = ({ received }: Call) => parseJson(received.body.toString('utf8'));

/** Deviations of 404 and 400, for names of tools and for bodies. */
export const requestMutations = {
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
        ...refusal(refusalCodes.invalidArguments, 'Mend it.', true, { issues: [{ path: '/x', message: 'odd' }] }),
        headers,
      };
    },
  ),
  '404-is-400': answers('an unknown tool is HTTP 400', (answer) => {
    if (answer.status === 404) answer.status = 400;
  }),
  '404-is-403-in-a-family': answers('an unknown tool of a known family is HTTP 403', (answer, { tool }) => {
    if (answer.status === 404 && tools.some((name) => name.split('.')[0] === tool.split('.')[0])) answer.status = 403;
  }),
  'false-body-is-no-body': requests('the body false is no body', (call) =>
    bodyValue(call) === false ? withArgs(call.received, {}) : undefined,
  ),
  'string-body-is-invalid-arguments': around(
    `a JSON string as body is ${refusalCodes.invalidArguments}`,
    () => async (call, next) => {
      const answer = await next(call.received);
      if (answer.status !== 400 || typeof bodyValue(call) !== 'string') return answer;
      const { headers } = answer;
      return {
        ...refusal(refusalCodes.invalidArguments, 'Mend it.', true, { issues: [{ path: '', message: 'an object' }] }),
        headers,
      };
    },
  ),
  'text-body-has-another-code': answers('a body that is not JSON has a code of its own', (answer, call) => {
    if (answer.status === 400 && bodyValue(call) === undefined)
      inside(answer.body, 'error').code = 'tenant_api.not_json';
  }),
  'array-body-has-mcp-code': answers(`a small array is ${boundaryCodes.batchTooLarge}`, (answer, call) => {
    if (answer.status === 400 && Array.isArray(bodyValue(call)))
      inside(answer.body, 'error').code = boundaryCodes.batchTooLarge;
  }),
  'malformed-is-422-on-schedule': answers('a malformed body is HTTP 422 on schedule.read', (answer, { tool }) => {
    if (answer.status === 400 && tool === 'schedule.read') answer.status = 422;
  }),
  'unfinished-json-is-mended': requests('a body whose last brace is missing is read all the same', (call) => {
    const mended = parseJson(`${call.received.body.toString('utf8')}}`);
    return bodyValue(call) === undefined && isJsonObject(mended) ? withArgs(call.received, mended) : undefined;
  }),
};
