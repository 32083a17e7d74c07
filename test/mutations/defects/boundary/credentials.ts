import type { ToolName } from '../../../../fixtures/contract/tools.ts';
import type { Call } from '../../../../stub/server/behavior.ts';
import type { KeyState } from '../../../../stub/server/state/state.ts';
import { type Deviation, defect } from '../../../../stub/variants/defect.ts';
import { both, changing, errorFields, headers, status, to, type When, writing } from '../../changes/responses.ts';
import { admitting, calls, keyOf, presented } from '../../changes/steps.ts';

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

/** Defects in authentication. */
export const credentialDefects = {
  'balance-open-to-anybody': defect('returns the balance for requests without a credential')
    .breaks('authentication.absent-refused', 'authentication.longer-key-refused')
    .by(
      admitting((call) =>
        calls('credits.balance')(call) && presented(call, 'any') === undefined ? keyOf(call, 'primary') : undefined,
      ),
    ),
  'unknown-key-is-guest': defect('treats an unknown key as a guest that can read the connections')
    .breaks('authentication.unknown-refused', 'authentication.longer-key-refused')
    .by(
      admitting((call) =>
        calls('connections.status')(call) && presented(call)?.startsWith('cwk') && call.key === undefined
          ? keyOf(call, 'sole')
          : undefined,
      ),
    ),
  'revoked-key-still-proposes': defect('accepts a revoked key for images.generate')
    .breaks('authentication.revoked-refused')
    .by(stillGood('revoked', 'images.generate')),
  'expiry-never-looked-up': defect('never checks whether a key has expired')
    .breaks('authentication.expired-refused')
    .by(stillGood('expired')),
  'bare-key-on-content-status': defect('accepts a key without an authentication scheme for content.status')
    .breaks('authentication.other-scheme-refused')
    .by(
      admitting((call) =>
        calls('content.status')(call) && schemeOf(call) === '' ? like(same, 'any')(call) : undefined,
      ),
    ),
  'last-letter-not-compared': defect('accepts a valid key without its last character')
    .breaks('authentication.shorter-key-refused')
    .by(admitting(like((good, given) => good.slice(0, -1) === given))),
  'key-compared-without-case': defect('ignores letter case when it compares keys, as some database collations do')
    .breaks('authentication.other-case-key-refused')
    .by(admitting(like((good, given) => good.toLowerCase() === given.toLowerCase()))),
  'realm-of-tool-in-401': defect('names the tool as the realm in the header WWW-Authenticate of a 401')
    .breaks('authentication.uniform-across-tools')
    .by(
      changing(unauthorized, (response, call) =>
        headers({ 'www-authenticate': `Bearer realm="${call.toolName}"` })(response, call),
      ),
    ),
  'invalid-token-in-challenge': defect('adds error="invalid_token" to the challenge of a 401 if the request has a key')
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
  'revoked-401-a-byte-longer': defect('adds a line break to the body of the 401 for a revoked key')
    .breaks('authentication.revoked-like-absent')
    .by(writing(both(unauthorized, to('revoked')), (text) => `${text}\n`)),
  'expired-key-is-told': defect('says in the 401 for an expired key that the key has expired')
    .breaks('authentication.expired-like-absent')
    .by(changing(both(unauthorized, to('expired')), errorFields({ message: 'This key has expired.' }))),
  'other-scheme-is-told': defect('asks for the scheme Bearer in the 401 for a credential with another scheme')
    .breaks('authentication.other-scheme-like-absent', 'authentication.unknown-like-absent')
    .by(
      changing(
        (response, call) => response.status === 401 && !absent(response, call) && !bearer(response, call),
        errorFields({ message: 'Send the key under the scheme Bearer.' }),
      ),
    ),
};
