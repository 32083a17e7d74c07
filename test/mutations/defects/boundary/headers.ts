import { refusalCodes } from '../../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../../fixtures/contract/headers.ts';
import {
  ambiguous,
  boardNotFound,
  both,
  changing,
  confirmationInvalid,
  dispatch,
  from,
  headers,
  invalid,
  itemNotFound,
  status,
  unreachable,
  type When,
} from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { presenting } from '../../changes/causes.ts';

const api = responseHeaders.api;
const toolError = responseHeaders.toolError;

const withoutApi = headers({ [api]: undefined });
const withoutToolError = headers({ [toolError]: undefined });
const saying = (value: string) => headers({ [toolError]: value });
const refused: When = ({ body }) => body.ok === false;

export const headerDefects = {
  'beta-header-missing-on-refusals': defect(`leaves out the header ${responseHeaders.api} from refusals`)
    .breaks('headers.beta-on-200')
    .by(changing(refused, withoutApi)),
  'beta-header-in-capitals': defect(`sends ${responseHeaders.api}: BETA with a 400`)
    .breaks('headers.beta-on-400')
    .by(changing(status(400), headers({ [api]: 'BETA' }))),
  'beta-header-says-true': defect(`sends ${responseHeaders.api}: true with a 404`)
    .breaks('headers.beta-on-404')
    .by(changing(status(404), headers({ [api]: 'true' }))),
  'beta-header-sent-twice': defect(`sends ${responseHeaders.api}: beta, beta with a 403`)
    .breaks('headers.beta-on-403')
    .by(changing(status(403), headers({ [api]: 'beta, beta' }))),
  'ambiguous-as-tool': defect(`sends ${responseHeaders.toolError}: false with ${refusalCodes.workspaceAmbiguous}`)
    .breaks('headers.tool-error-on-ambiguous')
    .by(changing(ambiguous, saying('false'))),
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
  'confirmation-invalid-as-boundary': defect(
    `sends ${responseHeaders.toolError}: true with ${refusalCodes.confirmationInvalid}`,
  )
    .breaks('headers.tool-error-on-confirmation-invalid', 'workspaces.argument-honoured')
    .by(changing(confirmationInvalid, saying('true'))),
  'tool-error-missing-on-used-id': defect(
    `leaves out the header ${responseHeaders.toolError} if a confirmation ID is used again`,
  )
    .breaks('headers.tool-error-on-confirmation-invalid', 'confirmations.used-like-never-issued')
    .by(presenting('used', withoutToolError)),
  'board-not-found-as-boundary': defect(`sends ${responseHeaders.toolError}: true with ${refusalCodes.boardNotFound}`)
    .breaks('headers.tool-error-on-board-not-found', 'workspaces.argument-honoured')
    .by(changing(boardNotFound, saying('true'))),
  'tool-error-missing-on-board-not-found': defect(
    `leaves out the header ${responseHeaders.toolError} from ${refusalCodes.boardNotFound} refusals`,
  )
    .breaks('headers.tool-error-on-board-not-found')
    .by(changing(boardNotFound, withoutToolError)),
  'tool-error-missing-on-invalid-arguments': defect(
    `leaves out the header ${responseHeaders.toolError} from ${refusalCodes.invalidArguments} refusals`,
  )
    .breaks('headers.tool-error-on-invalid-arguments')
    .by(changing(invalid, withoutToolError)),
  'tool-error-in-capitals': defect(
    `sends ${responseHeaders.toolError}: FALSE if the arguments of content.create_request are invalid`,
  )
    .breaks('headers.tool-error-on-invalid-arguments')
    .by(changing(both(invalid, from('content.create_request')), saying('FALSE'))),
  'tool-error-missing-on-item-not-found': defect(
    `leaves out the header ${responseHeaders.toolError} if the library item does not exist`,
  )
    .breaks('headers.tool-error-on-other-refusals')
    .by(changing(itemNotFound, withoutToolError)),
  'dispatch-as-tool-error': defect(`sends ${responseHeaders.toolError}: true when it dispatches`)
    .breaks('headers.tool-error-on-success')
    .by(changing(dispatch, saying('true'))),
};
