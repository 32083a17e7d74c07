import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { keyDefects as data } from '../../fixtures/defects/keys.ts';
import type { Role } from '../../fixtures/roles.ts';
import { refusal } from '../answers.ts';
import type { Call } from '../call.ts';
import type { KeyState } from '../state/state.ts';
import { unauthenticated } from '../steps/authenticate.ts';
import {
  answering,
  both,
  type Deviation,
  errorFields,
  headers,
  sentAs,
  status,
  to,
  type When,
  writing,
} from './patches.ts';
import { admitting, calls, instead, keyOf, presented, skipping } from './steps.ts';

const absent: When = (_, call) => call.request.headers.authorization === undefined;
const bearer: When = (_, call) => /^bearer /i.test(String(call.request.headers.authorization));
const known: When = (_, { key }) => key !== undefined;
const unauthorized = status(401);
const unknown: When = (answer, call) => bearer(answer, call) && !known(answer, call);

/** A good key whose secret is like that of a call. */
const like =
  (alike: (good: string, given: string) => boolean, scheme?: 'any') =>
  (call: Call): KeyState | undefined => {
    const given = presented(call, scheme);
    return given === undefined
      ? undefined
      : [...call.state.keys.values()].find(({ secret, state }) => state === 'live' && alike(secret, given));
  };

/** Calls of some tools whose key has lost its worth. */
const stillGood = (state: 'revoked' | 'expired', ...tools: readonly ToolName[]): Deviation =>
  admitting((call) =>
    call.key?.state === state && (tools.length === 0 || calls(...tools)(call)) ? call.key : undefined,
  );

const same = (good: string, given: string): boolean => good === given;

/** The scheme of a credential in lower case, empty where the key stands alone. */
const schemeOf = ({ request }: Call): string =>
  /^(\S+) /.exec(String(request.headers.authorization))?.[1]?.toLowerCase() ?? '';

const nearly = (good: string, given: string): boolean =>
  good !== given && (given.startsWith(good) || good.startsWith(given) || good.toLowerCase() === given.toLowerCase());

const closedTo =
  (...roles: readonly Role[]) =>
  (call: Call): boolean =>
    roles.some((role) => role === call.key?.role);

/** Deviations of keys and of the surface. */
export const keyDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'balance-refused-to-keys-with-default': instead(
    'runTool',
    (call) => calls('credits.balance')(call) && call.key?.storedDefault !== null,
    unauthenticated,
  ),
  'library-open-to-anybody': admitting((call) =>
    calls('library.search')(call) && presented(call, 'any') === undefined ? keyOf(call, 'primary') : undefined,
  ),
  'balance-open-to-anybody': admitting((call) =>
    calls('credits.balance')(call) && presented(call, 'any') === undefined ? keyOf(call, 'primary') : undefined,
  ),
  'absent-credential-as-403': answering(both(unauthorized, absent), sentAs(403)),
  'unknown-key-is-guest': admitting((call) =>
    calls('connections.status')(call) && presented(call)?.startsWith('cwk') && call.key === undefined
      ? keyOf(call, 'sole')
      : undefined,
  ),
  'unknown-key-as-400': answering(both(unauthorized, unknown), sentAs(400)),
  'revoked-key-still-reads-credits': stillGood('revoked', 'credits.balance'),
  'revoked-key-still-proposes': stillGood('revoked', 'images.generate'),
  'revoked-key-as-403': answering(both(unauthorized, to('revoked')), sentAs(403)),
  'expired-key-still-reads-schedule': stillGood('expired', 'schedule.read'),
  'expiry-never-looked-up': stillGood('expired'),
  'any-scheme-will-do': admitting(like(same, 'any')),
  'bare-key-on-content-status': admitting((call) =>
    calls('content.status')(call) && schemeOf(call) === '' ? like(same, 'any')(call) : undefined,
  ),
  'token-scheme-on-credits-balance': admitting((call) =>
    calls('credits.balance')(call) && schemeOf(call) === 'token' ? like(same, 'any')(call) : undefined,
  ),
  'key-compared-by-its-start': admitting(like((good, given) => given.startsWith(good))),
  'last-letter-not-compared': admitting(like((good, given) => good.slice(0, -1) === given)),
  'last-letter-of-key-free': admitting(
    like((good, given) => good.length === given.length && good.slice(0, -1) === given.slice(0, -1)),
  ),
  'key-compared-without-case': admitting(like((good, given) => good.toLowerCase() === given.toLowerCase())),
  'tool-named-in-401': answering(unauthorized, (answer, call) =>
    errorFields({ message: `No key is good here: ${call.toolName} wants one.` })(answer, call),
  ),
  'realm-of-tool-in-401': answering(unauthorized, (answer, call) =>
    headers({ 'www-authenticate': `Bearer realm="${call.toolName}"` })(answer, call),
  ),
  'images-401-with-other-code': answering(
    (answer, call) => answer.status === 401 && calls('images.generate')(call),
    errorFields({ code: 'tenant_api.images_credential_refused' }),
  ),
  'invalid-token-in-challenge': answering(
    both(unauthorized, bearer),
    headers({ 'www-authenticate': 'Bearer error="invalid_token"' }),
  ),
  'unknown-key-is-told': answering(both(unauthorized, unknown), errorFields({ message: 'This key is not known.' })),
  'short-key-is-told': answering(
    both(unauthorized, (_, call) => (presented(call)?.length ?? 99) < 12),
    errorFields({ message: 'That is no key.' }),
  ),
  'revoked-key-told-by-header': answering(both(unauthorized, to('revoked')), headers({ 'x-key-state': 'revoked' })),
  'revoked-401-a-byte-longer': writing(both(unauthorized, to('revoked')), (text) => `${text}\n`),
  'expired-key-is-told': answering(
    both(unauthorized, to('expired')),
    errorFields({ message: 'This key has expired.' }),
  ),
  'expired-401-from-another-place': answering(
    both(unauthorized, to('expired')),
    headers({ 'content-type': 'application/json; charset=utf-8' }),
  ),
  'other-scheme-is-told': answering(
    (answer, call) => answer.status === 401 && !absent(answer, call) && !bearer(answer, call),
    errorFields({ message: 'Send the key under the scheme Bearer.' }),
  ),
  'near-miss-told-by-cache-header': answering(
    (answer, call) => answer.status === 401 && like(nearly)(call) !== undefined,
    headers({ 'cache-control': 'no-store' }),
  ),

  'capability-not-asked-on-library-get': skipping(
    'surface',
    (call) => calls('library.get')(call) && closedTo('withoutAccess')(call),
  ),
  'capability-asked-of-writers-only': skipping(
    'surface',
    (call) => !calls('content.create_request', 'images.generate')(call) && closedTo('withoutAccess')(call),
  ),
  'capability-missing-as-401': instead('surface', closedTo('withoutAccess'), unauthenticated),
  'capability-missing-as-refusal': instead('surface', closedTo('withoutAccess'), () =>
    refusal('boundary', { code: 'capability_missing', message: 'The holder of this key lacks api.access.' }),
  ),
  'account-switch-not-asked-on-credits': skipping(
    'surface',
    (call) => calls('credits.balance')(call) && closedTo('accountSwitchOff')(call),
  ),
  'surface-after-arguments': (rules) => ({
    ...rules,
    order: rules.order.flatMap((name) =>
      name === 'surface' ? [] : name === 'checkArguments' ? [name, 'surface' as const] : [name],
    ),
  }),
  'platform-switch-forgotten': skipping('surface', closedTo('platformSwitchOff')),
  'platform-switch-as-404': answering(both(status(403), to('platformSwitchOff')), sentAs(404)),
  'one-code-for-closed-surfaces': answering(status(403), errorFields({ code: 'tenant_mcp.surface_disabled' })),
  'one-code-for-both-switches': answering(
    both(status(403), to('accountSwitchOff', 'platformSwitchOff')),
    errorFields({ code: 'tenant_mcp.surface_disabled' }),
  ),
  'key-as-password': admitting((call) => {
    const given = schemeOf(call) === 'basic' ? (presented(call, 'any') ?? '') : '';
    const password = Buffer.from(given, 'base64').toString('utf8').replace(/^.*?:/, '');
    return [...call.state.keys.values()].find(({ secret }) => secret === password);
  }),
};
