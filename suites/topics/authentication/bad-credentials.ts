import { toolNames, toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import type { Completed } from '../../history/exchange.ts';
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
import type { RoleKey } from '../../target.ts';
import { story } from '../story.ts';
import { aServedRole, emptyRequests } from './empty-requests.ts';

/** A tool that reads, one that writes, one that spends, and one without a workspace. */
const someTools = ['schedule.read', 'content.create_request', 'images.generate', 'credits.balance'];

/** Number of schemes that rotate over all tools. Each of the others goes to one tool. */
const schemesForAllTools = 3;

/** Returns the cookies that a response sets as the value of a `Cookie` header, or an empty text. */
const cookiesOf = ({ response }: Completed): string =>
  response.headers.flatMap(([name, value]) => (name === 'set-cookie' ? (value.split(';', 1)[0] ?? []) : [])).join('; ');

/** Returns invalid credentials that resemble a valid key, except for valid keys under another scheme or elsewhere. */
export function invalidCredentials(key: RoleKey, random: string): Credential[] {
  const unknown = unknownKey(key, random);
  const { longer, shorter, otherCase = unknown, otherEnd = unknown } = nearMisses(key);
  const near = [noCredential, unknown, longer, shorter, otherCase, otherEnd];
  return [...near, ...wrapped(key), ...encoded(key), ...altered(key)];
}

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
  alsoTests: [
    'authentication.bearer-accepted',
    'authentication.absent-refused',
    'authentication.unknown-refused',
    'authentication.other-scheme-refused',
    'authentication.longer-key-refused',
    'authentication.shorter-key-refused',
    'authentication.other-case-key-refused',
    'authentication.uniform-across-tools',
    'authentication.unknown-like-absent',
    'authentication.other-scheme-like-absent',
    'authentication.near-misses-like-absent',
  ],
});
