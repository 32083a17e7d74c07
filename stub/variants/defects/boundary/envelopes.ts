import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import { limits } from '../../../../fixtures/contract/limits.ts';
import type { Call } from '../../../server/behavior.ts';
import { presenting } from '../../changes/causes.ts';
import {
  ambiguous,
  boardNotFound,
  both,
  changing,
  confirmationInvalid,
  crash,
  field,
  fields,
  from,
  headers,
  invalid,
  result,
  sentAs,
  status,
  writing,
} from '../../changes/responses.ts';
import { calls, instead, sent } from '../../changes/steps.ts';
import { together } from '../../deviation.ts';
import { defect } from '../defect.ts';

const titleIsLong = ({ body: { title } }: Call): boolean =>
  typeof title === 'string' && title.length > limits.title.most;

/** Defects in status, content type and form of responses. */
export const envelopeDefects = {
  'balance-as-plain-text': defect('sends the balance as text/plain')
    .breaks('envelopes.json-200')
    .by(changing(result('credits.balance'), headers({ 'content-type': 'text/plain' }))),
  'byte-order-mark': defect('puts a byte order mark before the response of connections.status')
    .breaks('envelopes.json-200', 'connections.answers')
    .by(writing(result('connections.status'), (text) => `\u{feff}${text}`)),
  'last-byte-lost': defect('loses the last byte of the response of content.status')
    .breaks('envelopes.json-200', 'content-status.answers')
    .by(writing(result('content.status'), (text) => text.slice(0, -1))),
  'hits-in-a-list': defect('wraps the response of knowledge.search in a list')
    .breaks('envelopes.json-200', 'knowledge.answers')
    .by(writing(result('knowledge.search'), (text) => `[${text}]`)),
  'page-for-unknown-tool': defect('returns the HTML page of a web framework for an unknown tool')
    .breaks('envelopes.json-4xx', 'envelopes.boundary-error')
    .by(
      together(
        changing(status(404), headers({ 'content-type': 'text/html' })),
        writing(status(404), () => '<!doctype html><title>404</title><h1>Not found</h1>'),
      ),
    ),
  'problem-type-on-400': defect('sends a 400 as application/problem+json')
    .breaks('envelopes.json-4xx')
    .by(changing(status(400), headers({ 'content-type': 'application/problem+json' }))),
  'untyped-403': defect('sends a 403 without a content-type')
    .breaks('envelopes.json-4xx')
    .by(changing(status(403), headers({ 'content-type': undefined }))),
  'ok-in-words': defect('sends ok as a string from knowledge.search')
    .breaks('envelopes.ok-boolean', 'knowledge.answers')
    .by(changing(result('knowledge.search'), field('ok', String))),
  'ok-as-number': defect('sends ok as 1 from connections.status')
    .breaks('envelopes.ok-boolean', 'connections.answers')
    .by(changing(result('connections.status'), fields({ ok: 1 }))),
  'ok-left-out-where-refused': defect(`leaves out ok from ${refusalCodes.boardNotFound}`)
    .breaks(
      'envelopes.ok-boolean',
      'image-proposals.board-unknown-refused',
      'image-proposals.board-elsewhere-refused',
      'image-proposals.works-without-argument',
    )
    .by(changing(boardNotFound, fields({ ok: undefined }))),
  'invalid-arguments-as-422': defect(`sends ${refusalCodes.invalidArguments} of library.get with status 422`)
    .breaks(
      'envelopes.outcome-is-200',
      'envelopes.described-status',
      'library.kind-missing-refused',
      'library.id-missing-refused',
      'library.kind-wrong-type-refused',
      'library.id-wrong-type-refused',
      'workspaces.empty-refused',
      'workspaces.wrong-type-refused',
    )
    .by(changing(both(invalid, from('library.get')), sentAs(422))),
  'ambiguous-as-409': defect(`sends ${refusalCodes.workspaceAmbiguous} of library.search with status 409`)
    .breaks('envelopes.outcome-is-200', 'envelopes.described-status', 'workspaces.ambiguous-library-search')
    .by(changing(both(ambiguous, from('library.search')), sentAs(409))),
  'board-not-found-as-404': defect(`sends ${refusalCodes.boardNotFound} with status 404`)
    .breaks(
      'envelopes.outcome-is-200',
      'image-proposals.board-unknown-refused',
      'image-proposals.board-elsewhere-refused',
      'image-proposals.works-without-argument',
    )
    .by(changing(boardNotFound, sentAs(404))),
  'confirmation-invalid-as-400': defect(`sends ${refusalCodes.confirmationInvalid} with status 400`)
    .breaks(
      'envelopes.outcome-is-200',
      'confirmations.used-invalid',
      'confirmations.used-stays-invalid',
      'confirmations.never-issued-invalid',
      'confirmations.other-workspace-invalid',
      'confirmations.other-account-invalid',
      'confirmations.expired-invalid',
      'race.others-invalid',
    )
    .by(changing(confirmationInvalid, sentAs(400))),
  'created-as-201': defect('returns status 201 for a created content request')
    .breaks('envelopes.outcome-is-200')
    .by(changing(result('content.create_request'), sentAs(201))),
  'connections-moved': defect('redirects connections.status to another address')
    .breaks('envelopes.described-status', 'connections.answers', 'envelopes.outcome-is-200')
    .by(changing(result('connections.status'), sentAs(308), headers({ location: '/api/v1/tools/' }))),
  'crash-on-missing-id': defect('fails with a 500 if library.get has no id')
    .breaks('envelopes.no-server-error', 'library.id-missing-refused')
    .by(instead('checkArguments', (call) => calls('library.get')(call) && call.body.id === undefined, crash)),
  'crash-on-long-title': defect('fails with a 500 if a title does not fit its column')
    .breaks('envelopes.no-server-error', 'content-requests.title-too-long-refused')
    .by(instead('checkArguments', titleIsLong, crash)),
  'crash-on-null-body': defect('fails with a 500 if the body is null')
    .breaks(
      'envelopes.no-server-error',
      'bodies.json-null',
      'bodies.every-reading-tool',
      'bodies.create-request',
      'bodies.images-generate',
    )
    .by(instead('readBody', (call) => sent(call) === 'null', crash)),
  'crash-on-prototype-name': defect('fails with a 500 if the name of a tool is an object-prototype member')
    .breaks('envelopes.no-server-error', 'unknown-tools.prototype-names-404')
    .by(instead('findTool', ({ toolName }) => toolName in {}, crash)),
  'crash-on-unusual-letters': defect('fails with a 500 if a question contains characters beyond the basic plane')
    .breaks('envelopes.no-server-error', 'arguments.anything-answered')
    .by(instead('runTool', ({ args }) => /[\u{10000}-\u{10ffff}]/u.test(String(args.query)), crash)),
  'crash-on-second-use': defect('fails with a 500 if a confirmation is used again')
    .breaks(
      'envelopes.no-server-error',
      'confirmations.used-invalid',
      'confirmations.used-stays-invalid',
      'race.others-invalid',
    )
    .by(presenting('used', crash)),
};
