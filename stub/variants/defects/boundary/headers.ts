import { presenting } from '../../changes/causes.ts';
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
  result,
  status,
  to,
  unreachable,
  type When,
} from '../../changes/responses.ts';
import { defect } from '../defect.ts';

const api = 'x-service-api';
const toolError = 'x-service-tool-error';

const withoutApi = headers({ [api]: undefined });
const withoutToolError = headers({ [toolError]: undefined });
const saying = (value: string) => headers({ [toolError]: value });
const refused: When = ({ body }) => body.ok === false;

/** Headers of responses. */
export const headerDefects = {
  'beta-header-missing-on-library-get': defect('leaves out x-service-api from the results of library.get')
    .breaks('headers.beta-on-200')
    .by(changing(result('library.get'), withoutApi)),
  'beta-header-missing-on-refusals': defect('leaves out x-service-api if a tool declines')
    .breaks('headers.beta-on-200')
    .by(changing(refused, withoutApi)),
  'beta-header-missing-on-400': defect('leaves out x-service-api if a body is malformed')
    .breaks('headers.beta-on-400')
    .by(changing(status(400), withoutApi)),
  'beta-header-missing-on-401': defect('leaves out x-service-api from a 401')
    .breaks('headers.beta-on-401')
    .by(changing(status(401), withoutApi)),
  'beta-header-missing-on-403': defect('leaves out x-service-api if the holder lacks api.access')
    .breaks('headers.beta-on-403')
    .by(changing(both(status(403), to('withoutAccess')), withoutApi)),
  'beta-header-missing-on-404': defect('leaves out x-service-api if there is no such tool')
    .breaks('headers.beta-on-404')
    .by(changing(status(404), withoutApi)),
  'beta-header-missing-on-429': defect('leaves out x-service-api from a 429')
    .breaks('headers.beta-on-429')
    .by(changing(status(429), withoutApi)),
  'beta-header-in-capitals': defect('sends x-service-api: BETA with a 400')
    .breaks('headers.beta-on-400')
    .by(changing(status(400), headers({ [api]: 'BETA' }))),
  'beta-header-says-true': defect('sends x-service-api: true with a 404')
    .breaks('headers.beta-on-404')
    .by(changing(status(404), headers({ [api]: 'true' }))),
  'beta-header-sent-twice': defect('sends x-service-api: beta, beta with a 403')
    .breaks('headers.beta-on-403')
    .by(changing(status(403), headers({ [api]: 'beta, beta' }))),
  'version-in-beta-header': defect('sends x-service-api: 1.0.0-beta with the balance')
    .breaks('headers.beta-on-200')
    .by(changing(result('credits.balance'), headers({ [api]: '1.0.0-beta' }))),
  'ambiguous-as-tool': defect('sends x-service-tool-error: false with workspace_ambiguous')
    .breaks('headers.tool-error-on-ambiguous')
    .by(changing(ambiguous, saying('false'))),
  'tool-error-missing-on-ambiguous-read': defect(
    'leaves out x-service-tool-error if the workspace of schedule.read is ambiguous',
  )
    .breaks('headers.tool-error-on-ambiguous')
    .by(changing(both(ambiguous, from('schedule.read')), withoutToolError)),
  'unreachable-as-tool': defect('sends x-service-tool-error: false for an unreachable workspace')
    .breaks('headers.tool-error-on-unreachable')
    .by(changing(unreachable, saying('false'))),
  'unreachable-without-tool-error': defect(
    'leaves out x-service-tool-error if content.status cannot reach the workspace',
  )
    .breaks('headers.tool-error-on-unreachable', 'headers.tool-error-on-other-refusals')
    .by(changing(both(unreachable, from('content.status')), withoutToolError)),
  'confirmation-invalid-as-boundary': defect('sends x-service-tool-error: true with confirmation_invalid')
    .breaks('headers.tool-error-on-confirmation-invalid', 'workspaces.argument-honoured')
    .by(changing(confirmationInvalid, saying('true'))),
  'tool-error-missing-on-used-id': defect('leaves out x-service-tool-error if a confirmation is used again')
    .breaks('headers.tool-error-on-confirmation-invalid', 'confirmations.used-like-never-issued')
    .by(presenting('used', withoutToolError)),
  'board-not-found-as-boundary': defect('sends x-service-tool-error: true with board_not_found')
    .breaks('headers.tool-error-on-board-not-found', 'workspaces.argument-honoured')
    .by(changing(boardNotFound, saying('true'))),
  'tool-error-missing-on-board-not-found': defect('leaves out x-service-tool-error from board_not_found')
    .breaks('headers.tool-error-on-board-not-found')
    .by(changing(boardNotFound, withoutToolError)),
  'tool-error-missing-on-invalid-arguments': defect('leaves out x-service-tool-error from invalid_arguments')
    .breaks('headers.tool-error-on-invalid-arguments')
    .by(changing(invalid, withoutToolError)),
  'tool-error-in-capitals': defect(
    'sends x-service-tool-error: FALSE if the arguments of content.create_request are invalid',
  )
    .breaks('headers.tool-error-on-invalid-arguments')
    .by(changing(both(invalid, from('content.create_request')), saying('FALSE'))),
  'item-not-found-as-boundary': defect('sends x-service-tool-error: true if there is no such library item')
    .breaks('headers.tool-error-on-other-refusals', 'workspaces.argument-honoured')
    .by(changing(itemNotFound, saying('true'))),
  'tool-error-missing-on-item-not-found': defect('leaves out x-service-tool-error if there is no such library item')
    .breaks('headers.tool-error-on-other-refusals')
    .by(changing(itemNotFound, withoutToolError)),
  'success-as-tool-error': defect('sends x-service-tool-error: true with what knowledge.search finds')
    .breaks('headers.tool-error-on-success')
    .by(changing(result('knowledge.search'), saying('true'))),
  'dispatch-as-tool-error': defect('sends x-service-tool-error: true with a dispatched reply')
    .breaks('headers.tool-error-on-success')
    .by(changing(dispatch, saying('true'))),
};
