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
  result,
  status,
  writing,
} from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

/** Defects in envelopes, their fields and their issues. */
export const envelopeDefects = {
  'last-byte-lost': defect('drops the last byte of the response body of content.status')
    .breaks('envelopes.json-200', 'content-status.answers')
    .by(writing(result('content.status'), (text) => text.slice(0, -1))),
  'refusal-code-as-number': defect('sends the number 404 as the code when it refuses an unknown library item')
    .breaks('envelopes.refusal-code', 'library.unknown-id-refused')
    .by(changing(itemNotFound, fields({ code: 404 }))),
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
  'boundary-error-with-status': defect('repeats the status inside the member error of a 404')
    .breaks('envelopes.boundary-no-other-keys')
    .by(changing(status(404), errorFields({ status: 404 }))),
  'retry-after-null-on-403': defect('sends retry_after_seconds: null in a 403')
    .breaks('envelopes.retry-after-seconds-only-on-429')
    .by(changing(status(403), errorFields({ retry_after_seconds: null }))),
  'issue-at-the-root': defect('sends an empty string as the path of every issue')
    .breaks(
      'arguments.all-fields-named',
      'workspaces.empty-refused',
      'workspaces.wrong-type-refused',
      'content-requests.format-unknown-refused',
      'content-requests.format-wrong-type-refused',
      'content-requests.day-pattern-refused',
      'content-requests.day-anchored-refused',
      'content-requests.day-wrong-type-refused',
      'content-requests.title-empty-refused',
      'content-requests.title-too-long-refused',
      'content-requests.title-wrong-type-refused',
      'content-requests.workspace-empty-refused',
      'content-requests.workspace-wrong-type-refused',
      'library.query-wrong-type-refused',
      'library.kind-wrong-type-refused',
      'library.id-wrong-type-refused',
      'knowledge.query-wrong-type-refused',
      'image-proposals.count-fraction-refused',
      'image-proposals.count-wrong-type-refused',
      'image-proposals.board-wrong-type-refused',
      'image-proposals.brief-wrong-type-refused',
      'image-proposals.shape-wrong-type-refused',
      'image-proposals.workspace-empty-refused',
      'image-proposals.workspace-wrong-type-refused',
      'content-requests.day-missing-refused',
      'content-requests.format-missing-refused',
      'image-proposals.board-missing-refused',
      'image-proposals.brief-missing-refused',
      'image-proposals.count-missing-refused',
      'image-proposals.shape-missing-refused',
      'library.kind-missing-refused',
      'library.id-missing-refused',
    )
    .by(
      changing(
        invalid,
        each('issues', (issue) => ({ ...issue, path: '' })),
      ),
    ),
};
