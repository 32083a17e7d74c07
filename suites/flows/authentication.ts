import { toolNames, toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import { type Role, servedRoles } from '../../fixtures/roles.ts';
import type { Credential } from '../exchange.ts';
import {
  asPassword,
  asUser,
  emptyKey,
  encoded,
  longKey,
  misplaced,
  noCredential,
  otherPlaces,
  otherScheme,
  otherSchemes,
  shortKey,
  unknownKey,
  wrapped,
} from '../session/credentials.ts';
import { altered, nearMisses } from '../session/similar-keys.ts';
import { flow } from './flow.ts';
import type { Asked, Steps } from './steps.ts';

/** One that reads, one that writes, one that spends, and one without a workspace. */
const someTools = ['schedule.read', 'content.create_request', 'images.generate', 'credits.balance'];

/** Schemes that each tool is tried with in turn; the others go to some tool each. */
const everyTool = 3;

/** A role whose key is served; a credential that resembles it is good for nothing. */
function aServedRole(t: Steps): Role {
  return (
    servedRoles.find((role) => t.has(role)) ??
    t.cannot('the configuration has no valid key', { kind: 'role', role: 'primary' })
  );
}

/** Requests with an empty object, so that nothing could run. */
function withCredential(
  t: Steps,
  tools: readonly string[],
  of: (tool: string) => Credential | Role,
  at: Role,
): Asked[] {
  const baseUrl = t.target.keys[at]?.baseUrl;
  const there = baseUrl === undefined ? {} : { baseUrl };
  return tools.map((tool) => ({ tool, args: {}, as: of(tool), ...there }));
}

/** Credentials that no good key stands behind. */
export const badCredentials = flow(
  'bad credentials',
  {
    lane: 'reading',
    needs: { roles: [] },
    witnesses: [
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
  },
  async (t) => {
    const role = aServedRole(t);
    const key = t.key(role);
    const { longer, shorter, otherCase, otherEnd } = nearMisses(key);
    const unknown = unknownKey(key, t.text('unknown key', 32));
    const schemeFor = (tool: string) =>
      tool === 'library.get'
        ? asPassword(key)
        : otherScheme(key, (toolNames as readonly string[]).indexOf(tool) % everyTool);
    const turn = t.text('tools of bad credentials').charCodeAt(0);
    /** Each to another tool that reads, since it may be taken for a good key. */
    const inTurn = (step: string, credentials: readonly Credential[]) =>
      Promise.all(
        credentials.map((credential, index) => {
          const tool = toolsWithoutSideEffects[(turn + index) % toolsWithoutSideEffects.length] ?? 'schedule.read';
          return t.sendAll(
            step,
            withCredential(t, [tool], () => credential, role),
          );
        }),
      );
    const sendAll = (step: string, tools: readonly string[], of: (tool: string) => Credential) =>
      t.sendAll(step, withCredential(t, tools, of, role));

    await t.send('send a good key', { tool: 'credits.balance', args: {}, as: role });
    await sendAll('send no credential', toolNames, () => noCredential);
    await sendAll('send an unknown key', toolNames, () => unknown);
    const body = '{"workspace": ';
    await t.sendAll('send an unknown key with a body that is not JSON', [
      { tool: 'content.status', body, as: unknown },
    ]);
    await sendAll('send a key with another letter at its end', ['connections.status', 'credits.balance'], () => {
      return otherEnd ?? shortKey;
    });
    await sendAll('send a text that is too short for a key', ['schedule.read'], () => shortKey);
    await sendAll('send a text that is too long for a key', ['schedule.read'], () => longKey);
    // It may be taken under any scheme, so it goes to no tool that changes something.
    await sendAll('send a good key under another scheme', toolsWithoutSideEffects, schemeFor);
    await sendAll('send a good key with one letter more', someTools, () => longer);
    await sendAll('send a good key without its last letter', someTools, () => shorter);
    await inTurn('send no key', [emptyKey]);
    const kinds = otherSchemes.slice(everyTool).map((_, index) => otherScheme(key, everyTool + index));
    await inTurn('send a good key under a scheme of another kind', [asUser(key), ...kinds]);
    await inTurn('send a good key with more around it', wrapped(key));
    await inTurn('send a good key written otherwise', encoded(key));
    await inTurn(
      'send a good key where none belongs',
      otherPlaces.map((place) => misplaced(key, place)),
    );
    await inTurn('send a good key with a part changed', altered(key));
    if (otherCase === undefined) return t.cannot('the key has no letters whose case could be changed');
    await sendAll('send a good key in other case', someTools, () => otherCase);
  },
);

/** Keys that were good once. */
export const formerKeys = flow(
  'former keys',
  {
    lane: 'reading',
    needs: { roles: [] },
    witnesses: [
      'authentication.revoked-refused',
      'authentication.expired-refused',
      'authentication.revoked-like-absent',
      'authentication.expired-like-absent',
    ],
  },
  async (t) => {
    const bases = new Set<string | undefined>();
    for (const role of ['revoked', 'expired'] as const) {
      await t.part(async () => {
        const { baseUrl } = t.key(role);
        if (bases.size === 0)
          await t.sendOnce('send a good key', { tool: 'credits.balance', args: {}, as: aServedRole(t) });
        if (!bases.has(baseUrl)) {
          await t.sendAll(
            'send no credential',
            withCredential(t, ['schedule.read'], () => noCredential, role),
          );
        }
        bases.add(baseUrl);
        await t.sendAll(
          `send the ${role} key`,
          withCredential(t, toolNames, () => role, role),
        );
      });
    }
  },
);
