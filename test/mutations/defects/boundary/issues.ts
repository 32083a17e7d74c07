import { changing, each, invalid } from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

/** Defects in `invalid_arguments` refusals. */
export const issueDefects = {
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
