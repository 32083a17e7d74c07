import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import {
  ambiguous,
  changing,
  each,
  errorFields,
  invalid,
  list,
  status,
} from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

/** Defects in envelopes, their fields and their issues. */
export const envelopeDefects = {
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
