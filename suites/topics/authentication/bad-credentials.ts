import { toolNames, toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { isRole, servedRoles } from '../../../fixtures/roles.ts';
import { describe } from '../../expectations/responses.ts';
import { rule } from '../../expectations/rule.ts';
import { type Completed, isKeyRefused, isSuccess } from '../../history/exchange.ts';
import {
  accentedKey,
  asPassword,
  asUser,
  emptyKey,
  encoded,
  localAddress,
  longKey,
  misplaced,
  noCredential,
  otherPlaces,
  otherScheme,
  otherSchemes,
  shortKey,
  unknownKey,
  wrapped,
} from '../../session/credentials.ts';
import type { Credential } from '../../session/sent-exchange.ts';
import { altered, nearMisses } from '../../session/similar-keys.ts';
import { hasObjectOrNoBody } from '../../situations/scope.ts';
import { story } from '../story.ts';
import { aServedRole, emptyRequests } from './empty-requests.ts';
import { likeAbsent, noBearer, ofKind, refused, sameResponse, unauthorized } from './refused.ts';

/** A tool that reads, one that writes, one that spends, and one without a workspace. */
const someTools = ['schedule.read', 'content.create_request', 'images.generate', 'credits.balance'];

/** Number of schemes that rotate over all tools. Each of the others goes to one tool. */
const schemesForAllTools = 3;

/** Returns the cookies that a response sets as the value of a `Cookie` header, or an empty text. */
const cookiesOf = ({ response }: Completed): string =>
  response.headers.flatMap(([name, value]) => (name === 'set-cookie' ? (value.split(';', 1)[0] ?? []) : [])).join('; ');

export const badCredentials = story('invalid credentials', {
  needs: { roles: [] },
  steps: async (t) => {
    const role = aServedRole(t);
    const key = t.key(role);
    const { longer, shorter, otherCase, otherEnd } = nearMisses(key);
    const unknown = unknownKey(key, t.text('unknown key', 32));
    const schemeFor = (tool: string) =>
      tool === 'library.get'
        ? asPassword(key)
        : otherScheme(key, (toolNames as readonly string[]).indexOf(tool) % schemesForAllTools);
    const turn = t.turn('tools of bad credentials');
    /** Sends each credential to another tool. Uses reading tools only, because the server may accept the credential. */
    const inTurn = (step: string, credentials: readonly Credential[]) =>
      Promise.all(
        credentials.map((credential, index) => {
          const tool = toolsWithoutSideEffects[(turn + index) % toolsWithoutSideEffects.length] ?? 'schedule.read';
          return t.sendInParallel(
            step,
            emptyRequests(t, [tool], () => credential, role),
          );
        }),
      );
    const sendEmpty = (step: string, tools: readonly string[], of: (tool: string) => Credential) =>
      t.sendInParallel(step, emptyRequests(t, tools, of, role));

    const accepted = await t.send('send a valid key', { tool: 'credits.balance', args: {}, as: role });
    await sendEmpty('send no credential', toolNames, () => noCredential);
    const cookie = cookiesOf(accepted);
    for (const asked of emptyRequests(t, ['schedule.read'], () => noCredential, role)) {
      if (cookie !== '')
        await t.send('send only the cookies of an accepted request', { ...asked, headers: { cookie } });
      await t.send('send no credential from a local address', { ...asked, headers: localAddress });
    }
    await sendEmpty('send an unknown key', toolNames, () => unknown);
    const body = '{"workspace": ';
    await t.sendInParallel('send an unknown key with a body that is not JSON', [
      { tool: 'content.status', body, as: unknown },
    ]);
    await sendEmpty('send a key with another last character', ['connections.status', 'credits.balance'], () => {
      return otherEnd ?? shortKey;
    });
    await sendEmpty('send a credential that is too short', ['schedule.read'], () => shortKey);
    await sendEmpty('send a credential that is too long', ['schedule.read'], () => longKey);
    // Sent to reading tools only, because the server may accept the key under any scheme.
    await sendEmpty('send a valid key with another scheme', toolsWithoutSideEffects, schemeFor);
    await sendEmpty('send a valid key with one character appended', someTools, () => longer);
    await sendEmpty('send a valid key without its last character', someTools, () => shorter);
    await inTurn('send no key', [emptyKey, accentedKey]);
    const kinds = otherSchemes
      .slice(schemesForAllTools)
      .map((_, index) => otherScheme(key, schemesForAllTools + index));
    await inTurn('send a valid key with an unusual scheme', [asUser(key), ...kinds]);
    await inTurn('send a valid key with other text around it', wrapped(key));
    await inTurn('send a valid key in another notation', encoded(key));
    await inTurn(
      'send a valid key in the wrong place',
      otherPlaces.map((place) => misplaced(key, place)),
    );
    await inTurn('send a valid key with one part changed', altered(key));
    if (otherCase === undefined) return t.cannot('the key has no letters whose case could be changed');
    await sendEmpty('send a valid key in another letter case', someTools, () => otherCase);
  },
  requirements: [
    rule(
      must(
        'authentication.bearer-accepted',
        'The server MUST accept a valid key that is sent as `Authorization: Bearer <key>`.',
        'Authentication, 1',
      ),
      {
        applies: (exchange) => {
          const { sender, request } = exchange;
          const good =
            sender.kind === 'key' && sender.role !== null && isRole(sender.role) && servedRoles.includes(sender.role);
          const isConclusive = isSuccess(exchange) || isKeyRefused(exchange);
          return good && request.tool === 'credits.balance' && hasObjectOrNoBody(exchange) && isConclusive;
        },
        expect: (exchange) => {
          if (isSuccess(exchange)) return undefined;
          const hint = `Accept the key in the role '${exchange.sender.role}': check whether the key is still valid.`;
          return { expected: 'HTTP 200 with ok true', actual: describe(exchange), hint };
        },
      },
    ),
    refused('authentication.absent-refused', 'a request without a credential, on every tool', noBearer),
    refused('authentication.unknown-refused', 'an unknown key, on every tool', ofKind('unknown')),
    refused(
      'authentication.other-scheme-refused',
      'a valid key that is sent with a scheme other than Bearer',
      ofKind('other-scheme'),
      'Authentication, 1 and 5',
    ),
    refused('authentication.longer-key-refused', 'a valid key with one character appended', ofKind('longer')),
    refused('authentication.shorter-key-refused', 'a valid key without its last character', ofKind('shorter')),
    refused('authentication.other-case-key-refused', 'a valid key whose letter case was changed', ofKind('other-case')),
    sameResponse(
      must(
        'authentication.uniform-across-tools',
        'The server MUST return the same 401 response for every tool.',
        unauthorized,
        'security',
      ),
      noBearer,
      ({ request }) =>
        (other) =>
          other.request.tool !== request.tool,
      'Authenticate before you look up the tool, and return the same 401 for every tool.',
    ),
    likeAbsent(
      'authentication.unknown-like-absent',
      'The server MUST return the same 401, body and headers, for an unknown key as for an absent credential.',
      ofKind('unknown'),
    ),
    likeAbsent(
      'authentication.other-scheme-like-absent',
      'The server MUST return the same 401, body and headers, for a credential of another scheme as for an ' +
        'absent one.',
      ofKind('other-scheme'),
    ),
    likeAbsent(
      'authentication.near-misses-like-absent',
      'The server MUST return the same 401 for a key that nearly matches a valid key as for an absent credential.',
      ofKind('longer', 'shorter', 'other-case'),
    ),
  ],
});
