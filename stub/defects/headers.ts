import type { headerDefects as data } from '../../fixtures/defects/headers.ts';
import { answering, both, type Deviation, dispatch, from, headers, result, status, to, type When } from './patches.ts';
import { ambiguous, boardNotFound, confirmationInvalid, invalid, itemNotFound, unreachable } from './refusals.ts';
import { presenting } from './worthless.ts';

const api = 'x-service-api';
const toolError = 'x-service-tool-error';

const withoutApi = headers({ [api]: undefined });
const withoutToolError = headers({ [toolError]: undefined });
const saying = (value: string) => headers({ [toolError]: value });
const refused: When = ({ body }) => body.ok === false;

/** Deviations of headers. */
export const headerDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'beta-header-missing-on-library-get': answering(result('library.get'), withoutApi),
  'beta-header-missing-on-refusals': answering(refused, withoutApi),
  'beta-header-missing-on-400': answering(status(400), withoutApi),
  'beta-header-missing-on-401': answering(status(401), withoutApi),
  'beta-header-missing-on-403': answering(both(status(403), to('withoutAccess')), withoutApi),
  'beta-header-missing-on-404': answering(status(404), withoutApi),
  'beta-header-missing-on-429': answering(status(429), withoutApi),
  'beta-header-in-capitals': answering(status(400), headers({ [api]: 'BETA' })),
  'beta-header-says-true': answering(status(404), headers({ [api]: 'true' })),
  'beta-header-sent-twice': answering(status(403), headers({ [api]: 'beta, beta' })),
  'version-in-beta-header': answering(result('credits.balance'), headers({ [api]: '1.0.0-beta' })),
  'ambiguous-as-tool': answering(ambiguous, saying('false')),
  'tool-error-missing-on-ambiguous-read': answering(both(ambiguous, from('schedule.read')), withoutToolError),
  'unreachable-as-tool': answering(unreachable, saying('false')),
  'unreachable-without-tool-error': answering(both(unreachable, from('content.status')), withoutToolError),
  'confirmation-invalid-as-boundary': answering(confirmationInvalid, saying('true')),
  'tool-error-missing-on-used-id': presenting('used', withoutToolError),
  'board-not-found-as-boundary': answering(boardNotFound, saying('true')),
  'tool-error-missing-on-board-not-found': answering(boardNotFound, withoutToolError),
  'tool-error-missing-on-invalid-arguments': answering(invalid, withoutToolError),
  'tool-error-in-capitals': answering(both(invalid, from('content.create_request')), saying('FALSE')),
  'item-not-found-as-boundary': answering(itemNotFound, saying('true')),
  'tool-error-missing-on-item-not-found': answering(itemNotFound, withoutToolError),
  'success-as-tool-error': answering(result('knowledge.search'), saying('true')),
  'dispatch-as-tool-error': answering(dispatch, saying('true')),
};
