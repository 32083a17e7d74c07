import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../../fixtures/contract/headers.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import {
  ambiguous,
  boardNotFound,
  both,
  changing,
  dispatch,
  each,
  errorFields,
  from,
  headers,
  invalid,
  list,
  presenting,
  status,
  unreachable,
} from '../../changes/responses.ts';

const { api, toolError } = responseHeaders;
const choicesAsObjects = list('workspaces', (slugs) => slugs.map((slug) => ({ slug })));
const withoutPaths = each('issues', (issue) => ({ ...issue, path: '' }));

const withoutToolError = headers({ [toolError]: undefined });
const saying = (value: string) => headers({ [toolError]: value });

/** Defects in envelopes and headers. */
export const envelopeDefects = {
  'choices-as-objects': defect(`lists the choices of ${refusalCodes.workspaceAmbiguous} as objects with the slug`)
    .breaks('envelopes.refusal-workspaces', 'workspaces.ambiguous-lists-choices', 'workspaces.ambiguous-choices-work')
    .by(changing(ambiguous, choicesAsObjects)),
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
    .by(changing(invalid, withoutPaths)),
  'beta-header-sent-twice': defect(`sends ${api}: beta, beta with a 403`)
    .breaks('headers.beta-on-403')
    .by(changing(status(403), headers({ [api]: 'beta, beta' }))),
  'tool-error-missing-on-ambiguous-read': defect(
    `leaves out the header ${toolError} if the workspace of schedule.read is ambiguous`,
  )
    .breaks('headers.tool-error-on-ambiguous')
    .by(changing(both(ambiguous, from('schedule.read')), withoutToolError)),
  'unreachable-without-tool-error': defect(
    `leaves out the header ${toolError} if content.status refuses an unreachable workspace`,
  )
    .breaks('headers.tool-error-on-unreachable', 'headers.tool-error-on-other-refusals')
    .by(changing(both(unreachable, from('content.status')), withoutToolError)),
  'tool-error-missing-on-used-id': defect(`leaves out the header ${toolError} if a confirmation ID is used again`)
    .breaks('headers.tool-error-on-confirmation-invalid', 'confirmations.used-like-never-issued')
    .by(presenting('used', withoutToolError)),
  'board-not-found-as-boundary': defect(`sends ${toolError}: true with ${refusalCodes.boardNotFound}`)
    .breaks('headers.tool-error-on-board-not-found', 'workspaces.argument-honoured')
    .by(changing(boardNotFound, saying('true'))),
  'tool-error-in-capitals': defect(`sends ${toolError}: FALSE if the arguments of content.create_request are invalid`)
    .breaks('headers.tool-error-on-invalid-arguments')
    .by(changing(both(invalid, from('content.create_request')), saying('FALSE'))),
  'dispatch-as-tool-error': defect(`sends ${toolError}: true when it dispatches`)
    .breaks('headers.tool-error-on-success')
    .by(changing(dispatch, saying('true'))),
};
