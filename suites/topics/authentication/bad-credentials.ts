import { type ToolName, toolNames, toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { type Role, refusedRoles, servedRoles } from '../../../fixtures/roles.ts';
import type { Completed } from '../../exchange/exchange.ts';
import { closedSurfaces, credentials, refusedCredentials, surfaces } from '../../model/rows/credentials.ts';
import { errors } from '../../model/rows/envelopes.ts';
import type { Credential } from '../../session/call.ts';
import { noCredential } from '../../session/credentials.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';
import { asPassword, nearMisses, oddCredentials, otherSchemes, shortKey, unknownKey } from './made-credentials.ts';

/** Returns a role with a valid key, from which the stories derive invalid credentials. */
function aServedRole(t: Steps): Role {
  return t.present(servedRoles)[0] ?? t.cannot('the configuration has no valid key', { kind: 'role', role: 'primary' });
}

/** Returns requests with an empty object, so that a server that accepts the credential runs nothing. */
const empty = (t: Steps, tools: readonly string[], as: Credential, role: Role): StoryRequest[] => {
  const baseUrl = t.target.keys[role]?.baseUrl;
  return tools.map((tool) => ({ tool, args: {}, as, ...(baseUrl === undefined ? {} : { baseUrl }) }));
};

/** A tool that writes and one without a workspace, and a tool that reads and one that spends. */
const someTools = ['content.create_request', 'credits.balance'];
const otherTools = ['schedule.read', 'images.generate'];

const toolAt = (index: number) => toolsWithoutSideEffects[index % toolsWithoutSideEffects.length] ?? 'schedule.read';

/** Headers with which a proxy claims that the client is on the machine of the server. */
const localAddress = {
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
  forwarded: 'for=127.0.0.1',
};

/** Returns the cookies that a response sets as the value of a `Cookie` header, or an empty text. */
const cookiesOf = ({ response }: Completed): string =>
  response.headers.flatMap(([name, value]) => (name === 'set-cookie' ? (value.split(';', 1)[0] ?? []) : [])).join('; ');

const ids = [...refusedCredentials, ...credentials].map(({ id }) => id);

/** IDs of the requirements that need a key that was valid in the past. */
const ofFormerKeys = /revoked|expired/;

export const badCredentials = story('invalid credentials', {
  needs: { roles: [] },
  steps: async (t) => {
    const role = aServedRole(t);
    const key = t.key(role);
    const { longer, shorter, otherCase, otherEnd = shortKey } = nearMisses(key);
    const unknown = unknownKey(key, t.text('unknown key', 32));
    const schemes = otherSchemes(key);
    const turn = t.turn('tools of bad credentials');
    const to = (tools: readonly string[], credential: Credential) => empty(t, tools, credential, role);
    /** Sends each credential to another tool. Uses reading tools only, because the server may accept the credential. */
    const inTurn = (credentials: readonly Credential[]) =>
      credentials.flatMap((credential, index) => to([toolAt(turn + index)], credential));

    const accepted = await t.sendOnce('send a valid key', { tool: 'credits.balance', args: {}, as: role });
    const cookie = cookiesOf(accepted);
    const more = [...(cookie === '' ? [] : [{ cookie }]), localAddress];
    const requests: Readonly<Record<string, readonly StoryRequest[]>> = {
      'send no credential': to(toolNames, noCredential),
      'send no credential, with cookies or from a local address': more.flatMap((headers) =>
        to(['schedule.read'], noCredential).map((asked) => ({ ...asked, headers })),
      ),
      'send an unknown key': to(toolNames, unknown),
      'send an unknown key with a body that is not JSON': [
        { tool: 'content.status', body: '{"workspace": ', as: unknown },
      ],
      'send a key with another last character': to(['connections.status', 'credits.balance'], otherEnd),
      // Sent to reading tools only, because the server may accept the key under any scheme.
      'send a valid key with another scheme': toolsWithoutSideEffects.flatMap((tool) => {
        const scheme = schemes[toolNames.indexOf(tool) % schemes.length] ?? asPassword(key);
        return to([tool], tool === 'library.get' ? asPassword(key) : scheme);
      }),
      'send a valid key with one character appended': to(someTools, longer),
      'send a valid key without its last character': to(otherTools, shorter),
      'send a valid key in another letter case': otherCase === undefined ? [] : to(someTools, otherCase),
    };
    for (const [step, some] of Object.entries(requests)) await t.sendInParallel(step, some);
    const odd = oddCredentials(key);
    await t.sendInParallel('send a credential that is too short or too long', inTurn(odd.otherLengths));
    await t.sendInParallel('send no key', inTurn(odd.noKey));
    await t.sendInParallel('send a valid key with an unusual scheme', inTurn(odd.schemes));
    await t.sendInParallel('send a valid key with other text around it', inTurn(odd.wrapped));
    await t.sendInParallel('send a valid key in another notation', inTurn(odd.encoded));
    await t.sendInParallel('send a valid key in the wrong place', inTurn(odd.misplaced));
    await t.sendInParallel('send a valid key with one part changed', inTurn(odd.altered));
    if (otherCase === undefined) t.cannot('the key has no letters whose case could be changed');
  },
  alsoTests: [...ids.filter((id) => !ofFormerKeys.test(id)), ...errors.map(({ id }) => id), ...witnessesOf(401)],
});

/** One tool gets a workspace, from a local address, and one no body: servers may check keys on some paths only. */
function askedOf(t: Steps, tool: ToolName): StoryRequest {
  if (tool === 'credits.balance') return { tool };
  return tool === 'connections.status' ? { tool, args: t.here(), headers: localAddress } : { tool, args: {} };
}

/**
 * Calls every tool with keys that ended or whose API is closed, except tools with side effects that the run does not
 * allow.
 */
export const refusedKeys = story('keys that the server refuses', {
  needs: { roles: [] },
  steps: async (t) => {
    const bases = new Set<string | undefined>();
    for (const as of refusedRoles) {
      await t.part(async () => {
        const { baseUrl } = t.key(as);
        if (bases.size === 0)
          await t.sendOnce('send a valid key', { tool: 'credits.balance', args: {}, as: aServedRole(t) });
        if (!bases.has(baseUrl))
          await t.sendInParallel('send no credential', empty(t, ['schedule.read'], noCredential, as));
        bases.add(baseUrl);
        const requests = t.toolsFor(as).map((tool) => ({ ...askedOf(t, tool), as }));
        await t.sendInParallel(`send the ${as} key`, requests);
      });
    }
  },
  alsoTests: [
    ...[...ids.filter((id) => ofFormerKeys.test(id)), ...[...closedSurfaces, ...surfaces].map(({ id }) => id)],
    ...witnessesOf(403),
  ],
});
