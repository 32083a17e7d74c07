import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import {
  ambiguous,
  changing,
  errorFields,
  fields,
  invalid,
  itemNotFound,
  list,
  status,
} from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

/** Defects in the fields of refusals and error responses. */
export const envelopeFieldDefects = {
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
  'retry-after-zero-on-401': defect('sends retry_after_seconds: 0 in a 401')
    .breaks('envelopes.retry-after-seconds-only-on-429')
    .by(changing(status(401), errorFields({ retry_after_seconds: 0 }))),
};
