import type { answerDefects as data } from '../../fixtures/defects/answers.ts';
import type { Call } from '../call.ts';
import {
  answering,
  both,
  code,
  crash,
  type Deviation,
  dispatch,
  each,
  errorFields,
  field,
  fields,
  from,
  headers,
  list,
  result,
  sentAs,
  status,
  to,
  together,
  type When,
  writing,
} from './patches.ts';
import { calls, instead, sent } from './steps.ts';
import { presenting } from './worthless.ts';

const api = 'x-service-api';
const toolError = 'x-service-tool-error';

const withoutApi = headers({ [api]: undefined });
const withoutToolError = headers({ [toolError]: undefined });
const saying = (value: string) => headers({ [toolError]: value });
const refused: When = ({ body }) => body.ok === false;
const invalid = code('invalid_arguments');
const ambiguous = code('workspace_ambiguous');
const unreachable = code('workspace_unreachable');
const confirmationInvalid = code('confirmation_invalid');
const boardNotFound = code('board_not_found');
const itemNotFound = code('item_not_found');

const titleIsLong = ({ body: { title } }: Call): boolean => typeof title === 'string' && title.length > 200;

/** Deviations of envelopes and headers. */
export const answerDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'balance-as-plain-text': answering(result('credits.balance'), headers({ 'content-type': 'text/plain' })),
  'byte-order-mark': writing(result('connections.status'), (text) => `\u{feff}${text}`),
  'last-byte-lost': writing(result('content.status'), (text) => text.slice(0, -1)),
  'hits-in-a-list': writing(result('knowledge.search'), (text) => `[${text}]`),
  'page-for-unknown-tool': together(
    answering(status(404), headers({ 'content-type': 'text/html' })),
    writing(status(404), () => '<!doctype html><title>404</title><h1>Not found</h1>'),
  ),
  'problem-type-on-400': answering(status(400), headers({ 'content-type': 'application/problem+json' })),
  'untyped-403': answering(status(403), headers({ 'content-type': undefined })),
  'ok-in-words': answering(result('knowledge.search'), field('ok', String)),
  'ok-as-number': answering(result('connections.status'), fields({ ok: 1 })),
  'ok-left-out-where-refused': answering(boardNotFound, fields({ ok: undefined })),
  'missing-kind-as-422': answering(both(invalid, from('library.get')), sentAs(422)),
  'ambiguous-as-409': answering(both(ambiguous, from('library.search')), sentAs(409)),
  'board-not-found-as-404': answering(boardNotFound, sentAs(404)),
  'confirmation-invalid-as-400': answering(confirmationInvalid, sentAs(400)),
  'created-as-201': answering(result('content.create_request'), sentAs(201)),
  'connections-moved': answering(result('connections.status'), sentAs(308), headers({ location: '/api/v1/tools/' })),
  'crash-on-missing-id': instead(
    'checkArguments',
    (call) => calls('library.get')(call) && call.body.id === undefined,
    crash,
  ),
  'crash-on-long-title': instead('checkArguments', titleIsLong, crash),
  'crash-on-null-body': instead('readBody', (call) => sent(call) === 'null', crash),
  'crash-on-prototype-name': instead('findTool', ({ toolName }) => toolName in {}, crash),
  'crash-on-unusual-letters': instead(
    'runTool',
    ({ args }) => /[\u{10000}-\u{10ffff}]/u.test(String(args.query)),
    crash,
  ),
  'crash-on-second-use': presenting('used', crash),
  'refusal-without-code': answering(unreachable, fields({ code: undefined })),
  'refusal-code-as-number': answering(itemNotFound, fields({ code: 404 })),
  'refusal-without-message': answering(ambiguous, fields({ message: undefined })),
  'refusal-message-empty': answering(invalid, fields({ message: '' })),
  'choices-as-objects': answering(
    ambiguous,
    list('workspaces', (slugs) => slugs.map((slug) => ({ slug }))),
  ),
  'choices-in-one-text': answering(
    ambiguous,
    list('workspaces', (slugs) => slugs.join(', ')),
  ),
  'issue-path-as-list': answering(
    invalid,
    each('issues', (issue) => ({ ...issue, path: [issue.path] })),
  ),
  'issues-by-field': answering(
    invalid,
    list('issues', (issues) => Object.fromEntries(issues.map((issue, index) => [index, issue]))),
  ),
  'issue-without-message': answering(
    invalid,
    each('issues', ({ path }) => ({ path })),
  ),
  'error-as-text': answering(status(404), fields({ error: 'not found' })),
  'errors-in-a-list': answering(status(401), ({ body, ...answer }) => ({ ...answer, body: { errors: [body.error] } })),
  'error-without-message': answering(status(403), errorFields({ message: undefined })),
  'error-code-as-number': answering(status(404), errorFields({ code: 404 })),
  'boundary-error-with-status': answering(status(404), errorFields({ status: 404 })),
  'boundary-error-with-request-id': answering(status(400), fields({ request_id: 'req_1' })),
  'boundary-error-with-ok': answering(status(403), fields({ ok: false })),
  'error-details-on-429': answering(status(429), errorFields({ cap: 30 })),
  'retry-after-null-on-403': answering(status(403), errorFields({ retry_after_seconds: null })),
  'retry-after-zero-on-401': answering(status(401), errorFields({ retry_after_seconds: 0 })),

  'beta-header-missing-on-library-get': answering(result('library.get'), withoutApi),
  'beta-header-missing-on-refusals': answering(refused, withoutApi),
  'beta-header-missing-on-400': answering(status(400), withoutApi),
  'beta-header-missing-on-401': answering(status(401), withoutApi),
  'beta-header-missing-on-403': answering(both(status(403), to('withoutAccess')), withoutApi),
  'beta-header-missing-on-404': answering(status(404), withoutApi),
  'beta-header-missing-on-429': answering(status(429), withoutApi),
  'beta-header-in-capitals': answering(status(400), headers({ [api]: 'BETA' })),
  'beta-header-says-true': answering(status(404), headers({ [api]: 'true' })),
  'beta-header-sent-twice': answering(status(403), headers({ [api]: 'beta, beta' })),
  'version-in-beta-header': answering(result('credits.balance'), headers({ [api]: '1.0.0-beta' })),
  'ambiguous-as-tool': answering(ambiguous, saying('false')),
  'tool-error-missing-on-ambiguous-read': answering(both(ambiguous, from('schedule.read')), withoutToolError),
  'unreachable-as-tool': answering(unreachable, saying('false')),
  'unreachable-without-tool-error': answering(both(unreachable, from('content.status')), withoutToolError),
  'confirmation-invalid-as-boundary': answering(confirmationInvalid, saying('true')),
  'tool-error-missing-on-used-id': presenting('used', withoutToolError),
  'board-not-found-as-boundary': answering(boardNotFound, saying('true')),
  'tool-error-missing-on-board-not-found': answering(boardNotFound, withoutToolError),
  'tool-error-missing-on-invalid-arguments': answering(invalid, withoutToolError),
  'tool-error-in-capitals': answering(both(invalid, from('content.create_request')), saying('FALSE')),
  'item-not-found-as-boundary': answering(itemNotFound, saying('true')),
  'tool-error-missing-on-item-not-found': answering(itemNotFound, withoutToolError),
  'success-as-tool-error': answering(result('knowledge.search'), saying('true')),
  'dispatch-as-tool-error': answering(dispatch, saying('true')),
};
