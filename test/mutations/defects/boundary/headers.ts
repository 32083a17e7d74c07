import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../../fixtures/contract/headers.ts';
import {
  ambiguous,
  boardNotFound,
  both,
  changing,
  dispatch,
  from,
  headers,
  invalid,
  status,
  unreachable,
} from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { presenting } from '../../changes/causes.ts';

const api = responseHeaders.api;
const toolError = responseHeaders.toolError;

const withoutToolError = headers({ [toolError]: undefined });
const saying = (value: string) => headers({ [toolError]: value });

export const headerDefects = {
  'beta-header-sent-twice': defect(`sends ${responseHeaders.api}: beta, beta with a 403`)
    .breaks('headers.beta-on-403')
    .by(changing(status(403), headers({ [api]: 'beta, beta' }))),
  'tool-error-missing-on-ambiguous-read': defect(
    `leaves out the header ${responseHeaders.toolError} if the workspace of schedule.read is ambiguous`,
  )
    .breaks('headers.tool-error-on-ambiguous')
    .by(changing(both(ambiguous, from('schedule.read')), withoutToolError)),
  'unreachable-without-tool-error': defect(
    `leaves out the header ${responseHeaders.toolError} if content.status refuses an unreachable workspace`,
  )
    .breaks('headers.tool-error-on-unreachable', 'headers.tool-error-on-other-refusals')
    .by(changing(both(unreachable, from('content.status')), withoutToolError)),
  'tool-error-missing-on-used-id': defect(
    `leaves out the header ${responseHeaders.toolError} if a confirmation ID is used again`,
  )
    .breaks('headers.tool-error-on-confirmation-invalid', 'confirmations.used-like-never-issued')
    .by(presenting('used', withoutToolError)),
  'board-not-found-as-boundary': defect(`sends ${responseHeaders.toolError}: true with ${refusalCodes.boardNotFound}`)
    .breaks('headers.tool-error-on-board-not-found', 'workspaces.argument-honoured')
    .by(changing(boardNotFound, saying('true'))),
  'tool-error-in-capitals': defect(
    `sends ${responseHeaders.toolError}: FALSE if the arguments of content.create_request are invalid`,
  )
    .breaks('headers.tool-error-on-invalid-arguments')
    .by(changing(both(invalid, from('content.create_request')), saying('FALSE'))),
  'dispatch-as-tool-error': defect(`sends ${responseHeaders.toolError}: true when it dispatches`)
    .breaks('headers.tool-error-on-success')
    .by(changing(dispatch, saying('true'))),
};
