import type { envelopeDefects as data } from '../../fixtures/defects/envelopes.ts';
import type { Call } from '../call.ts';
import {
  answering,
  both,
  crash,
  type Deviation,
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
  together,
  writing,
} from './patches.ts';
import { ambiguous, boardNotFound, confirmationInvalid, invalid, itemNotFound, unreachable } from './refusals.ts';
import { calls, instead, sent } from './steps.ts';
import { presenting } from './worthless.ts';

const titleIsLong = ({ body: { title } }: Call): boolean => typeof title === 'string' && title.length > 200;

/** Deviations of envelopes. */
export const envelopeDefects: Readonly<Record<keyof typeof data, Deviation>> = {
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
  'invalid-arguments-as-422': answering(both(invalid, from('library.get')), sentAs(422)),
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
};
