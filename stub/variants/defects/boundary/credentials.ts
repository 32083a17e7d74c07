import type { ToolName } from '../../../../fixtures/contract/tools.ts';
import type { Call } from '../../../server/behavior.ts';
import type { KeyState } from '../../../server/state/state.ts';
import { unauthenticated } from '../../../server/steps/authenticate.ts';
import {
  both,
  changing,
  errorFields,
  headers,
  sentAs,
  status,
  to,
  type When,
  writing,
} from '../../changes/responses.ts';
import { admitting, calls, instead, keyOf, presented } from '../../changes/steps.ts';
import { type Deviation, together } from '../../deviation.ts';
import { defect } from '../defect.ts';

const absent: When = (_, call) => call.request.headers.authorization === undefined;
const bearer: When = (_, call) => /^bearer /i.test(String(call.request.headers.authorization));
const known: When = (_, { key }) => key !== undefined;
const unauthorized = status(401);
const unknown: When = (response, call) => bearer(response, call) && !known(response, call);

/** Finds a valid key whose secret resembles that of the request. */
const like =
  (alike: (good: string, given: string) => boolean, scheme?: 'any') =>
  (call: Call): KeyState | undefined => {
    const given = presented(call, scheme);
    return given === undefined
      ? undefined
      : [...call.state.keys.values()].find(({ secret, state }) => state === 'live' && alike(secret, given));
  };

/** Accepts revoked or expired keys for some tools (default: all). */
const stillGood = (state: 'revoked' | 'expired', ...tools: readonly ToolName[]): Deviation =>
  admitting((call) =>
    call.key?.state === state && (tools.length === 0 || calls(...tools)(call)) ? call.key : undefined,
  );

const same = (good: string, given: string): boolean => good === given;

/** Returns the authentication scheme in lower case, or an empty string without a scheme. */
const schemeOf = ({ request }: Call): string =>
  /^(\S+) /.exec(String(request.headers.authorization))?.[1]?.toLowerCase() ?? '';

const nearly = (good: string, given: string): boolean =>
  good !== given && (given.startsWith(good) || good.startsWith(given) || good.toLowerCase() === given.toLowerCase());

/** Defects in authentication. */
export const credentialDefects = {
  'balance-refused-to-keys-with-default': defect('returns 401 from credits.balance for keys with a default workspace')
    .breaks('authentication.bearer-accepted', 'credits.balance')
    .by(
      instead('runTool', (call) => calls('credits.balance')(call) && call.key?.storedDefault !== null, unauthenticated),
    ),
  'library-open-to-anybody': defect('accepts library.search requests without a credential')
    .breaks('authentication.absent-refused')
    .by(
      admitting((call) =>
        calls('library.search')(call) && presented(call, 'any') === undefined ? keyOf(call, 'primary') : undefined,
      ),
    ),
  'balance-open-to-anybody': defect('returns the balance for requests without a credential')
    .breaks('authentication.absent-refused', 'authentication.longer-key-refused')
    .by(
      admitting((call) =>
        calls('credits.balance')(call) && presented(call, 'any') === undefined ? keyOf(call, 'primary') : undefined,
      ),
    ),
  'session-cookie-is-a-credential': defect(
    'sets a session cookie for a valid key, and later accepts the cookie without the key',
  )
    .breaks('authentication.absent-refused')
    .by(
      together(
        changing(both(status(200), known), headers({ 'set-cookie': 'session=s1; Path=/; HttpOnly' })),
        admitting((call) =>
          call.request.headers.cookie === 'session=s1' && presented(call, 'any') === undefined
            ? keyOf(call, 'sole')
            : undefined,
        ),
      ),
    ),
  'absent-credential-as-403': defect('returns 403 for a request without a credential')
    .breaks('authentication.absent-refused')
    .by(changing(both(unauthorized, absent), sentAs(403))),
  'unknown-key-is-guest': defect('treats an unknown key as a guest that can read the connections')
    .breaks('authentication.unknown-refused', 'authentication.longer-key-refused')
    .by(
      admitting((call) =>
        calls('connections.status')(call) && presented(call)?.startsWith('cwk') && call.key === undefined
          ? keyOf(call, 'sole')
          : undefined,
      ),
    ),
  'unknown-key-as-400': defect('returns 400 for an unknown key')
    .breaks(
      'authentication.unknown-refused',
      'authentication.longer-key-refused',
      'authentication.shorter-key-refused',
      'authentication.other-case-key-refused',
    )
    .by(changing(both(unauthorized, unknown), sentAs(400))),
  'revoked-key-still-reads-credits': defect('accepts a revoked key for credits.balance')
    .breaks('authentication.revoked-refused')
    .by(stillGood('revoked', 'credits.balance')),
  'revoked-key-still-proposes': defect('accepts a revoked key for images.generate')
    .breaks('authentication.revoked-refused')
    .by(stillGood('revoked', 'images.generate')),
  'revoked-key-as-403': defect('returns 403 for a revoked key')
    .breaks('authentication.revoked-refused')
    .by(changing(both(unauthorized, to('revoked')), sentAs(403))),
  'expired-key-still-reads-schedule': defect('accepts an expired key for schedule.read')
    .breaks('authentication.expired-refused')
    .by(stillGood('expired', 'schedule.read')),
  'expiry-never-looked-up': defect('never checks whether a key has expired')
    .breaks('authentication.expired-refused')
    .by(stillGood('expired')),
  'any-scheme-will-do': defect('accepts a key with any authentication scheme')
    .breaks('authentication.other-scheme-refused')
    .by(admitting(like(same, 'any'))),
  'bare-key-on-content-status': defect('accepts a key without an authentication scheme for content.status')
    .breaks('authentication.other-scheme-refused')
    .by(
      admitting((call) =>
        calls('content.status')(call) && schemeOf(call) === '' ? like(same, 'any')(call) : undefined,
      ),
    ),
  'token-scheme-on-credits-balance': defect('accepts a key with the authentication scheme Token for credits.balance')
    .breaks('authentication.other-scheme-refused')
    .by(
      admitting((call) =>
        calls('credits.balance')(call) && schemeOf(call) === 'token' ? like(same, 'any')(call) : undefined,
      ),
    ),
  'key-compared-by-its-start': defect('accepts a key that starts with a valid key')
    .breaks('authentication.longer-key-refused')
    .by(admitting(like((good, given) => given.startsWith(good)))),
  'last-letter-not-compared': defect('accepts a valid key without its last character')
    .breaks('authentication.shorter-key-refused')
    .by(admitting(like((good, given) => good.slice(0, -1) === given))),
  'last-letter-of-key-free': defect('accepts a key that differs from a valid key only in the last character')
    .breaks('authentication.unknown-refused')
    .by(admitting(like((good, given) => good.length === given.length && good.slice(0, -1) === given.slice(0, -1)))),
  'key-compared-without-case': defect('ignores letter case when it compares keys, as some database collations do')
    .breaks('authentication.other-case-key-refused')
    .by(admitting(like((good, given) => good.toLowerCase() === given.toLowerCase()))),
  'tool-named-in-401': defect('names the tool in the message of a 401')
    .breaks('authentication.uniform-across-tools')
    .by(
      changing(unauthorized, (response, call) =>
        errorFields({ message: `No key is good here: ${call.toolName} wants one.` })(response, call),
      ),
    ),
  'realm-of-tool-in-401': defect('names the tool as the realm in the header WWW-Authenticate of a 401')
    .breaks('authentication.uniform-across-tools')
    .by(
      changing(unauthorized, (response, call) =>
        headers({ 'www-authenticate': `Bearer realm="${call.toolName}"` })(response, call),
      ),
    ),
  'images-401-with-other-code': defect('returns 401 with a different code for images.generate')
    .breaks('authentication.uniform-across-tools')
    .by(
      changing(
        (response, call) => response.status === 401 && calls('images.generate')(call),
        errorFields({ code: 'tenant_api.images_credential_refused' }),
      ),
    ),
  'invalid-token-in-challenge': defect(
    'adds error="invalid_token" to the header WWW-Authenticate of a 401 if the request has a key',
  )
    .breaks(
      'authentication.unknown-like-absent',
      'authentication.revoked-like-absent',
      'authentication.expired-like-absent',
      'authentication.near-misses-like-absent',
    )
    .by(changing(both(unauthorized, bearer), headers({ 'www-authenticate': 'Bearer error="invalid_token"' }))),
  'unknown-key-is-told': defect('says in the 401 for an unknown key that the key is unknown')
    .breaks('authentication.unknown-like-absent', 'authentication.near-misses-like-absent')
    .by(changing(both(unauthorized, unknown), errorFields({ message: 'This key is not known.' }))),
  'short-key-is-told': defect('sends a different message in the 401 for a very short key')
    .breaks('authentication.unknown-like-absent')
    .by(
      changing(
        both(unauthorized, (_, call) => (presented(call)?.length ?? 99) < 12),
        errorFields({ message: 'That is no key.' }),
      ),
    ),
  'revoked-key-told-by-header': defect('says in a header of the 401 that the key is revoked')
    .breaks('authentication.revoked-like-absent')
    .by(changing(both(unauthorized, to('revoked')), headers({ 'x-key-state': 'revoked' }))),
  'revoked-401-a-byte-longer': defect('adds a line break to the body of the 401 for a revoked key')
    .breaks('authentication.revoked-like-absent')
    .by(writing(both(unauthorized, to('revoked')), (text) => `${text}\n`)),
  'expired-key-is-told': defect('says in the 401 for an expired key that the key has expired')
    .breaks('authentication.expired-like-absent')
    .by(changing(both(unauthorized, to('expired')), errorFields({ message: 'This key has expired.' }))),
  'expired-401-from-another-place': defect('adds a charset to the content-type of the 401 for an expired key')
    .breaks('authentication.expired-like-absent')
    .by(changing(both(unauthorized, to('expired')), headers({ 'content-type': 'application/json; charset=utf-8' }))),
  'other-scheme-is-told': defect('asks for the scheme Bearer in the 401 for a credential with another scheme')
    .breaks('authentication.other-scheme-like-absent', 'authentication.unknown-like-absent')
    .by(
      changing(
        (response, call) => response.status === 401 && !absent(response, call) && !bearer(response, call),
        errorFields({ message: 'Send the key under the scheme Bearer.' }),
      ),
    ),
  'near-miss-told-by-cache-header': defect(
    'adds the header cache-control to the 401 for a key that nearly matches a valid key',
  )
    .breaks('authentication.near-misses-like-absent')
    .by(
      changing(
        (response, call) => response.status === 401 && like(nearly)(call) !== undefined,
        headers({ 'cache-control': 'no-store' }),
      ),
    ),
  'key-as-password': defect('accepts a key that is sent as the password of HTTP Basic authentication')
    .breaks('authentication.other-scheme-refused')
    .by(
      admitting((call) => {
        const given = schemeOf(call) === 'basic' ? (presented(call, 'any') ?? '') : '';
        const password = Buffer.from(given, 'base64').toString('utf8').replace(/^.*?:/, '');
        return [...call.state.keys.values()].find(({ secret }) => secret === password);
      }),
    ),
};
