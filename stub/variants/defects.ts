import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { headerNames, responseHeaders } from '../../fixtures/contract/headers.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import { didYouMean, UsageError } from '../../suites/usage/usage-error.ts';
import type { Call } from '../server/behavior.ts';
import { rateLimited, refusal } from '../server/responses.ts';
import { confirming, counting, reissuing } from './changes/confirmations.ts';
import {
  ambiguous,
  boardNotFound,
  both,
  changing,
  confirmationInvalid,
  crash,
  dispatch,
  each,
  errorFields,
  field,
  fields,
  from,
  headers,
  invalid,
  itemNotFound,
  list,
  proposal,
  result,
  sentAs,
  status,
  unreachable,
  type When,
  writing,
} from './changes/responses.ts';
import { around, calls, instead } from './changes/steps.ts';
import { type Defect, type Deviation, defect, together } from './defect.ts';

const { surelyAlive } = limits.confirmation;
const over = status(429);

/** Selects the 401 for a bearer credential that is no key. */
const unknownKey: When = (response, { key, request }) =>
  response.status === 401 && key === undefined && /^bearer /i.test(String(request.headers.authorization));

const titleIsLong = ({ body: { title } }: Call): boolean =>
  typeof title === 'string' && title.length > limits.title.most;

/** Defects that clients meet in practice, by ID, in the order of the specification. IDs are permanent. */
export const defects = {
  'byte-order-mark': defect('starts the response body of connections.status with a byte order mark')
    .breaks('envelopes.json-200', 'connections.answers')
    .by(writing(result('connections.status'), (text) => `\u{feff}${text}`)),
  'hits-in-a-list': defect('wraps the response of knowledge.search in an array')
    .breaks('envelopes.json-200', 'knowledge.answers')
    .by(writing(result('knowledge.search'), (text) => `[${text}]`)),
  'page-for-unknown-tool': defect('returns the HTML page of a web framework for an unknown tool')
    .breaks('envelopes.json-4xx', 'envelopes.boundary-error')
    .by(
      together(
        changing(status(404), headers({ 'content-type': 'text/html' })),
        writing(status(404), () => '<!doctype html><title>404</title><h1>Not found</h1>'),
      ),
    ),
  'balance-as-plain-text': defect('sends the balance as text/plain')
    .breaks('envelopes.json-200')
    .by(changing(result('credits.balance'), headers({ 'content-type': 'text/plain' }))),
  'ok-in-words': defect('sends the member ok as a string in the results of knowledge.search')
    .breaks('envelopes.ok-boolean', 'knowledge.answers')
    .by(changing(result('knowledge.search'), field('ok', String))),
  'ok-left-out-where-refused': defect(`leaves out the member ok from ${refusalCodes.boardNotFound} refusals`)
    .breaks(
      'envelopes.ok-boolean',
      'image-proposals.board-unknown-refused',
      'image-proposals.board-elsewhere-refused',
      'image-proposals.works-without-argument',
    )
    .by(changing(boardNotFound, fields({ ok: undefined }))),
  'invalid-arguments-as-422': defect(`returns ${refusalCodes.invalidArguments} with status 422 from library.get`)
    .breaks(
      'envelopes.outcome-is-200',
      'envelopes.described-status',
      'library.kind-missing-refused',
      'library.id-missing-refused',
      'library.kind-wrong-type-refused',
      'library.id-wrong-type-refused',
      'workspaces.empty-refused',
      'workspaces.wrong-type-refused',
    )
    .by(changing(both(invalid, from('library.get')), sentAs(422))),
  'ambiguous-as-409': defect(`returns ${refusalCodes.workspaceAmbiguous} with status 409 from library.search`)
    .breaks('envelopes.outcome-is-200', 'envelopes.described-status', 'workspaces.ambiguous-library-search')
    .by(changing(both(ambiguous, from('library.search')), sentAs(409))),
  'board-not-found-as-404': defect(`returns ${refusalCodes.boardNotFound} with status 404`)
    .breaks(
      'envelopes.outcome-is-200',
      'image-proposals.board-unknown-refused',
      'image-proposals.board-elsewhere-refused',
      'image-proposals.works-without-argument',
    )
    .by(changing(boardNotFound, sentAs(404))),
  'confirmation-invalid-as-400': defect(`returns ${refusalCodes.confirmationInvalid} with status 400`)
    .breaks(
      'envelopes.outcome-is-200',
      'confirmations.used-invalid',
      'confirmations.used-stays-invalid',
      'confirmations.never-issued-invalid',
      'confirmations.other-workspace-invalid',
      'confirmations.other-account-invalid',
      'confirmations.expired-invalid',
      'race.others-invalid',
    )
    .by(changing(confirmationInvalid, sentAs(400))),
  'crash-on-long-title': defect('fails with a 500 if a title is longer than its database column')
    .breaks('envelopes.no-server-error', 'content-requests.title-too-long-refused')
    .by(instead('checkArguments', titleIsLong, crash)),
  'connection-closed-on-every-hit': defect('closes the connection without a response if knowledge.search has a hit')
    .breaks('envelopes.answers-every-request')
    .by(changing(result('knowledge.search'), (response) => ({ ...response, delivery: { cutAtBytes: -1 } }))),
  'refusal-without-code': defect('leaves out the code when it refuses an unreachable workspace')
    .breaks(
      'envelopes.refusal-code',
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
      'content-requests.workspace-unknown-refused',
      'content-requests.workspace-unreachable-refused',
      'image-proposals.workspace-unknown-refused',
      'image-proposals.workspace-unreachable-refused',
    )
    .by(changing(unreachable, fields({ code: undefined }))),
  'refusal-without-message': defect(`returns ${refusalCodes.workspaceAmbiguous} without a message`)
    .breaks('envelopes.refusal-message')
    .by(changing(ambiguous, fields({ message: undefined }))),
  'choices-in-one-text': defect(`lists the choices of ${refusalCodes.workspaceAmbiguous} in one comma-separated string`)
    .breaks('envelopes.refusal-workspaces', 'workspaces.ambiguous-lists-choices')
    .by(
      changing(
        ambiguous,
        list('workspaces', (slugs) => slugs.join(', ')),
      ),
    ),
  'issue-path-as-list': defect('sends the path of an issue as an array of segments')
    .breaks('envelopes.refusal-issues')
    .by(
      changing(
        invalid,
        each('issues', (issue) => ({ ...issue, path: [issue.path] })),
      ),
    ),
  'issues-by-field': defect('sends the member issues as an object with a key for each field')
    .breaks('envelopes.refusal-issues', 'arguments.issues-listed')
    .by(
      changing(
        invalid,
        list('issues', (issues) => Object.fromEntries(issues.map((issue, index) => [index, issue]))),
      ),
    ),
  'issues-left-out': defect(`omits the member issues from ${refusalCodes.invalidArguments} refusals`)
    .breaks('arguments.issues-listed')
    .by(changing(invalid, fields({ issues: undefined }))),
  'unknown-key-as-400': defect('returns 400 for an unknown key')
    .breaks(
      'authentication.unknown-refused',
      'authentication.longer-key-refused',
      'authentication.shorter-key-refused',
      'authentication.other-case-key-refused',
    )
    .by(changing(unknownKey, sentAs(400))),
  'days-empty': defect('sends days as an empty array')
    .breaks('schedule.days')
    .by(changing(result('schedule.read'), fields({ days: [] }))),
  'days-backwards': defect('lists the days in reverse order')
    .breaks('schedule.days-consecutive', 'schedule.days-from-week-start')
    .by(
      changing(
        result('schedule.read'),
        list('days', (days) => days.toReversed()),
      ),
    ),
  'pieces-null': defect('sends the member pieces as null')
    .breaks('schedule.pieces')
    .by(changing(result('schedule.read'), fields({ pieces: null }))),
  'truncated-left-out': defect('leaves out the member truncated')
    .breaks('library.truncated')
    .by(changing(result('library.search'), fields({ truncated: undefined }))),
  'items-null': defect('sends the member items as null')
    .breaks('library.items')
    .by(changing(result('library.search'), fields({ items: null }))),
  'unknown-item-as-404': defect('returns 404 for an unknown library item')
    .breaks('library.unknown-id-200', 'envelopes.outcome-is-200', 'arguments.anything-answered')
    .by(changing(itemNotFound, sentAs(404))),
  'hits-null': defect('sends the member hits as null')
    .breaks('knowledge.hits')
    .by(changing(result('knowledge.search'), fields({ hits: null }))),
  'balance-as-text': defect('sends the balance as a string')
    .breaks('credits.balance')
    .by(changing(result('credits.balance'), field('balance', String))),
  'images-always-refused': defect('refuses every images.generate request')
    .breaks('image-proposals.proposed', 'confirmations.message-tells-lifetime')
    .by(
      instead('runTool', calls('images.generate'), () =>
        refusal('tool', { code: refusalCodes.confirmationInvalid, message: 'Images are made by confirmation alone.' }),
      ),
    ),
  'proposal-called-pending': defect('sends pending as the status of a proposal')
    .breaks('image-proposals.proposed')
    .by(changing(proposal, fields({ status: 'pending' }))),
  'dispatch-called-running': defect('sends running instead of dispatched as the status')
    .breaks('confirmations.dispatched', 'expiry.alive-early')
    .by(changing(dispatch, fields({ status: 'running' }))),
  'run-id-null': defect('sends run_id as null when it dispatches')
    .breaks('confirmations.run-id')
    .by(changing(dispatch, fields({ run_id: null }))),
  'used-id-answers-with-its-run': defect(
    'returns the first run again for a used confirmation ID, as an idempotent API does',
  )
    .breaks('confirmations.used-invalid', 'confirmations.used-stays-invalid', 'race.one-dispatches')
    .by(counting((times, generate, call, first) => (times > 0 && first !== undefined ? first : generate(call)))),
  'confirmation-good-twice': defect('accepts a confirmation ID twice')
    .breaks('confirmations.used-invalid', 'race.one-dispatches', 'confirmations.used-stays-invalid')
    .by(reissuing((times) => times === 1)),
  'confirmation-lives-too-short': defect(`expires a confirmation ID after ${surelyAlive / 2} minutes`)
    .breaks('expiry.alive-early')
    .by(confirming(() => ({ lifetimeSeconds: (surelyAlive / 2) * 60 }))),
  'rate-limited-by-gateway': defect('returns 429 with the HTML page of a gateway')
    .breaks('rate-limit.code', 'rate-limit.retry-after-body', 'envelopes.json-4xx', 'envelopes.boundary-error')
    .by(
      together(
        changing(over, headers({ 'content-type': 'text/html' })),
        writing(over, () => '<h1>429 Too Many Requests</h1>'),
      ),
    ),
  'retry-after-header-left-out': defect(`leaves out the header ${headerNames.retryAfter} from a 429`)
    .breaks('rate-limit.retry-after-header')
    .by(changing(over, headers({ [responseHeaders.retryAfter]: undefined }))),
  'retry-after-as-date': defect(`sends the header ${headerNames.retryAfter} as a date`)
    .breaks('rate-limit.retry-after-header')
    .by(
      changing(over, (response, call) =>
        headers({ [responseHeaders.retryAfter]: new Date(call.state.clock.now() + 60_000).toUTCString() })(
          response,
          call,
        ),
      ),
    ),
  'retry-after-seconds-left-out': defect('leaves out retry_after_seconds from a 429')
    .breaks('rate-limit.retry-after-body')
    .by(changing(over, errorFields({ retry_after_seconds: undefined }))),
  'retry-after-one-off': defect(`rounds ${headerNames.retryAfter} up and retry_after_seconds down`)
    .breaks('rate-limit.retry-after-agree')
    .by(
      changing(over, (response, call) =>
        errorFields({ retry_after_seconds: Number(response.headers[responseHeaders.retryAfter]) - 1 })(response, call),
      ),
    ),
  'refusals-restart-window': defect(
    `starts the wait again with each request over the rate limit, but then sends ${headerNames.retryAfter}: 1`,
  )
    .breaks('rate-limit.served-after-waiting')
    .by((behavior) => {
      const closedUntil = new Map<string, number>();
      return around('rateLimit', (step) => (call) => {
        const response = step(call);
        const [secret, now] = [call.key?.secret ?? '', call.state.clock.now()];
        if (response === undefined && now >= (closedUntil.get(secret) ?? now)) return undefined;
        closedUntil.set(secret, now + behavior.rate.windowSeconds * 1000);
        return response ?? rateLimited(behavior.codes.rateLimited, 1);
      })(behavior);
    }),
} satisfies Readonly<Record<string, Defect>>;

/** Combines defects. They are applied in order. Throws a UsageError for an unknown ID. */
export function combineDefects(ids: readonly string[], known: Readonly<Record<string, Defect>> = defects): Deviation {
  const chosen = ids.map((id) => {
    // Names of object-prototype members such as `constructor` are no defects.
    const found = Object.hasOwn(known, id) ? known[id] : undefined;
    if (found === undefined)
      throw new UsageError(`there is no defect '${id}'${didYouMean(id, Object.keys(known))} (tck list --defects)`);
    return found.deviation;
  });
  return together(...chosen);
}
