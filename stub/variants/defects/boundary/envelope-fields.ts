import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import {
  ambiguous,
  changing,
  each,
  errorFields,
  fields,
  invalid,
  itemNotFound,
  list,
  status,
  unreachable,
} from '../../changes/responses.ts';
import { defect } from '../defect.ts';

/** Defects in the fields of refusals and error responses. */
export const envelopeFieldDefects = {
  'refusal-without-code': defect('leaves out the code when it refuses an unreachable workspace')
    .breaks(
      'envelopes.refusal-code',
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
      'content-requests.workspace-unknown-refused',
      'content-requests.workspace-unreachable-refused',
      'image-proposals.workspace-unknown-refused',
      'image-proposals.workspace-unreachable-refused',
    )
    .by(changing(unreachable, fields({ code: undefined }))),
  'refusal-code-as-number': defect('sends the number 404 as the code when it refuses an unknown library item')
    .breaks('envelopes.refusal-code', 'library.unknown-id-refused')
    .by(changing(itemNotFound, fields({ code: 404 }))),
  'refusal-without-message': defect(`returns ${refusalCodes.workspaceAmbiguous} without a message`)
    .breaks('envelopes.refusal-message')
    .by(changing(ambiguous, fields({ message: undefined }))),
  'refusal-message-empty': defect(`returns ${refusalCodes.invalidArguments} with an empty message`)
    .breaks('envelopes.refusal-message')
    .by(changing(invalid, fields({ message: '' }))),
  'choices-as-objects': defect(
    `lists the choices of ${refusalCodes.workspaceAmbiguous} as objects that contain the slug`,
  )
    .breaks('envelopes.refusal-workspaces', 'workspaces.ambiguous-lists-choices', 'workspaces.ambiguous-choices-work')
    .by(
      changing(
        ambiguous,
        list('workspaces', (slugs) => slugs.map((slug) => ({ slug }))),
      ),
    ),
  'choices-in-one-text': defect(`lists the choices of ${refusalCodes.workspaceAmbiguous} in one comma-separated string`)
    .breaks('envelopes.refusal-workspaces', 'workspaces.ambiguous-lists-choices')
    .by(
      changing(
        ambiguous,
        list('workspaces', (slugs) => slugs.join(', ')),
      ),
    ),
  'issue-path-as-list': defect('sends the path of an issue as an array of segments')
    .breaks('envelopes.refusal-issues')
    .by(
      changing(
        invalid,
        each('issues', (issue) => ({ ...issue, path: [issue.path] })),
      ),
    ),
  'issues-by-field': defect('sends the member issues as an object with a key for each field')
    .breaks('envelopes.refusal-issues', 'arguments.issues-listed')
    .by(
      changing(
        invalid,
        list('issues', (issues) => Object.fromEntries(issues.map((issue, index) => [index, issue]))),
      ),
    ),
  'issue-without-message': defect('leaves out the message of an issue')
    .breaks('envelopes.refusal-issues')
    .by(
      changing(
        invalid,
        each('issues', ({ path }) => ({ path })),
      ),
    ),
  'error-as-text': defect('sends the member error of a 404 as a string')
    .breaks('envelopes.boundary-error')
    .by(changing(status(404), fields({ error: 'not found' }))),
  'errors-in-a-list': defect('sends the errors of a 401 in an array')
    .breaks('envelopes.boundary-error')
    .by(changing(status(401), ({ body, ...response }) => ({ ...response, body: { errors: [body.error] } }))),
  'error-without-message': defect('leaves out the error message of a 403')
    .breaks('envelopes.boundary-error')
    .by(changing(status(403), errorFields({ message: undefined }))),
  'error-code-as-number': defect('sends the error code of a 404 as a number')
    .breaks('envelopes.boundary-error')
    .by(changing(status(404), errorFields({ code: 404 }))),
  'boundary-error-with-status': defect('repeats the status inside the member error of a 404')
    .breaks('envelopes.boundary-no-other-keys')
    .by(changing(status(404), errorFields({ status: 404 }))),
  'boundary-error-with-request-id': defect('adds the member request_id next to the member error of a 400')
    .breaks('envelopes.boundary-no-other-keys')
    .by(changing(status(400), fields({ request_id: 'req_1' }))),
  'boundary-error-with-ok': defect('adds ok: false next to the member error of a 403')
    .breaks('envelopes.boundary-no-other-keys', 'envelopes.outcome-is-200')
    .by(changing(status(403), fields({ ok: false }))),
  'error-details-on-429': defect('adds the rate limit inside the member error of a 429')
    .breaks('envelopes.boundary-no-other-keys')
    .by(changing(status(429), errorFields({ cap: 30 }))),
  'retry-after-null-on-403': defect('sends retry_after_seconds: null in a 403')
    .breaks('envelopes.retry-after-seconds-only-on-429')
    .by(changing(status(403), errorFields({ retry_after_seconds: null }))),
  'retry-after-zero-on-401': defect('sends retry_after_seconds: 0 in a 401')
    .breaks('envelopes.retry-after-seconds-only-on-429')
    .by(changing(status(401), errorFields({ retry_after_seconds: 0 }))),
};
