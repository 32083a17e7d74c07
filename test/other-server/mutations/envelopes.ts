import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { answers, inside, isAbout } from './mutation.ts';

/** Deviations of headers, statuses and both envelopes. */
export const envelopeMutations = {
  'beta-absent-on-arrays': answers(
    `400 has no ${responseHeaders.api} when the body is an array`,
    (answer, { received }) => {
      if (answer.status === 400 && received.body[0] === 0x5b) delete answer.headers[responseHeaders.api];
    },
  ),
  'beta-with-version-on-403': answers(`403 has ${responseHeaders.api}: beta;v=1`, (answer) => {
    if (answer.status === 403) answer.headers[responseHeaders.api] = 'beta;v=1';
  }),
  'beta-absent-on-dispatched': answers(`the dispatched reply has no ${responseHeaders.api}`, (answer) => {
    if (answer.body.status === 'dispatched') delete answer.headers[responseHeaders.api];
  }),
  'beta-absent-on-balance': answers(`credits.balance has no ${responseHeaders.api}`, (answer, { tool }) => {
    if (tool === 'credits.balance' && answer.body.ok === true) delete answer.headers[responseHeaders.api];
  }),
  'tool-error-true-on-used-confirmation': answers(
    `${refusalCodes.confirmationInvalid} has ${responseHeaders.toolError}: true when the id was used, false otherwise`,
    (answer, { world, args }) => {
      const used = world.confirmations.get(String(args.confirmation_id))?.used === true;
      if (used && answer.body.code === refusalCodes.confirmationInvalid)
        answer.headers[responseHeaders.toolError] = 'true';
    },
  ),
  'tool-error-absent-on-confirmation-invalid': answers(
    `${refusalCodes.confirmationInvalid} has no ${responseHeaders.toolError}`,
    (answer) => {
      if (answer.body.code === refusalCodes.confirmationInvalid) delete answer.headers[responseHeaders.toolError];
    },
  ),
  'tool-error-false-on-ambiguous-knowledge': answers(
    `${refusalCodes.workspaceAmbiguous} of knowledge.search has ${responseHeaders.toolError}: false`,
    (answer, { tool }) => {
      const ambiguous = answer.body.code === refusalCodes.workspaceAmbiguous;
      if (ambiguous && tool === 'knowledge.search') answer.headers[responseHeaders.toolError] = 'false';
    },
  ),
  'tool-error-one-on-ambiguous-images': answers(
    `${refusalCodes.workspaceAmbiguous} of images.generate has ${responseHeaders.toolError}: 1`,
    (answer, { tool }) => {
      const ambiguous = answer.body.code === refusalCodes.workspaceAmbiguous;
      if (ambiguous && tool === 'images.generate') answer.headers[responseHeaders.toolError] = '1';
    },
  ),
  'tool-error-capital-on-unreachable': answers(
    `an unreachable workspace has ${responseHeaders.toolError}: True`,
    (answer, call) => {
      if (answer.cause === call.world.options.codes.unknownWorkspace)
        answer.headers[responseHeaders.toolError] = 'True';
    },
  ),
  'tool-error-absent-on-invalid-schedule': answers(
    `${refusalCodes.invalidArguments} of schedule.read has no ${responseHeaders.toolError}`,
    (answer, { tool }) => {
      if (tool === 'schedule.read' && answer.body.code === refusalCodes.invalidArguments)
        delete answer.headers[responseHeaders.toolError];
    },
  ),
  'tool-error-true-on-library-get': answers(
    `library.get has ${responseHeaders.toolError}: true where ok is true`,
    (answer, { tool }) => {
      if (tool === 'library.get' && answer.body.ok === true) answer.headers[responseHeaders.toolError] = 'true';
    },
  ),
  'plain-text-on-search-refusals': answers('refusals of library.search are text/plain', (answer, { tool }) => {
    if (tool === 'library.search' && answer.body.ok === false) answer.headers['content-type'] = 'text/plain';
  }),
  'plain-text-on-balance': answers('credits.balance is text/json', (answer, { tool }) => {
    if (tool === 'credits.balance' && answer.status === 200) answer.headers['content-type'] = 'text/json';
  }),
  'ok-text-on-connections': answers('connections.status has ok: "true"', (answer, { tool }) => {
    if (tool === 'connections.status' && answer.body.ok === true) answer.body.ok = 'true';
  }),
  'ok-absent-on-content-status': answers('content.status has no ok', (answer, { tool }) => {
    if (tool === 'content.status' && answer.body.ok === true) delete answer.body.ok;
  }),
  'ok-one-on-dispatched': answers('the dispatched reply has ok: 1', (answer) => {
    if (answer.body.status === 'dispatched') answer.body.ok = 1;
  }),
  'ok-null-on-board-not-found': answers(`${refusalCodes.boardNotFound} has ok: null`, (answer) => {
    if (answer.body.code === refusalCodes.boardNotFound) answer.body.ok = null;
  }),
  'ok-true-on-ambiguous-schedule': answers(
    `${refusalCodes.workspaceAmbiguous} of schedule.read has ok: true`,
    (answer, { tool }) => {
      if (tool === 'schedule.read' && answer.body.code === refusalCodes.workspaceAmbiguous) answer.body.ok = true;
    },
  ),
  'status-400-on-bad-count': answers('a bad count is HTTP 400', (answer, { tool }) => {
    if (tool === 'images.generate' && isAbout(answer, 'count')) answer.status = 400;
  }),
  'status-422-on-board-not-found': answers(`${refusalCodes.boardNotFound} is HTTP 422`, (answer) => {
    if (answer.body.code === refusalCodes.boardNotFound) answer.status = 422;
  }),
  'status-409-on-used-confirmation': answers('a used confirmation is HTTP 409', (answer, { world, args }) => {
    const used = world.confirmations.get(String(args.confirmation_id))?.used === true;
    if (used && answer.body.code === refusalCodes.confirmationInvalid) answer.status = 409;
  }),
  'status-202-on-dispatched': answers('the dispatched reply is HTTP 202', (answer) => {
    if (answer.body.status === 'dispatched') answer.status = 202;
  }),
  'status-403-on-unreachable': answers('an unreachable workspace is HTTP 403', (answer, { world }) => {
    if (answer.cause === world.options.codes.unknownWorkspace) answer.status = 403;
  }),
  'message-absent-on-confirmation-invalid': answers(`${refusalCodes.confirmationInvalid} has no message`, (answer) => {
    if (answer.body.code === refusalCodes.confirmationInvalid) delete answer.body.message;
  }),
  'message-list-on-invalid-create': answers(
    `${refusalCodes.invalidArguments} of content.create_request has a list as message`,
    (answer, { tool }) => {
      if (tool === 'content.create_request' && answer.body.code === refusalCodes.invalidArguments)
        answer.body.message = ['Mend it.'];
    },
  ),
  'extra-beside-error-on-404': answers('404 has a key beside error', (answer) => {
    if (answer.status === 404) answer.body.ok = false;
  }),
  'extra-inside-error-without-access': answers(
    '403 has a further key inside error when the capability is missing',
    (answer) => {
      if (answer.cause === 'without-access') inside(answer.body, 'error').capability = 'api.access';
    },
  ),
  'trace-inside-error-on-400': answers('400 has a trace id inside error', (answer, { world }) => {
    if (answer.status === 400) inside(answer.body, 'error').trace_id = world.random.text(8);
  }),
  'retry-seconds-on-account-switch': answers(
    '403 has retry_after_seconds when the account has switched off',
    (answer) => {
      if (answer.cause === 'account-off') inside(answer.body, 'error').retry_after_seconds = 60;
    },
  ),
  'retry-seconds-null-on-400': answers('400 has retry_after_seconds: null', (answer) => {
    if (answer.status === 400) inside(answer.body, 'error').retry_after_seconds = null;
  }),
  'code-null-on-401': answers('401 has code: null', (answer) => {
    if (answer.status === 401) inside(answer.body, 'error').code = null;
  }),
  'message-absent-on-404': answers('404 has no message', (answer) => {
    if (answer.status === 404) delete inside(answer.body, 'error').message;
  }),
  'error-text-on-platform-switch': answers('403 has a string as error when the platform is off', (answer) => {
    if (answer.cause === 'platform-off') answer.body.error = 'closed';
  }),
  'fails-on-longest-title': answers('a title of the longest length is HTTP 500', (answer, { args, tool }) => {
    const long = typeof args.title === 'string' && args.title.length === limits.title.most;
    if (long && tool === 'content.create_request') answer.status = 500;
  }),
};
