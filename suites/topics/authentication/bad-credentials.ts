import { toolNames, toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import { type Role, refusedRoles, servedRoles } from '../../../fixtures/roles.ts';
import type { Completed } from '../../exchange/exchange.ts';
import { closedSurfaces, credentials, refusedCredentials, surfaces } from '../../model/rows/credentials.ts';
import { errors } from '../../model/rows/envelopes.ts';
import type { Credential } from '../../session/call.ts';
import { effectOf } from '../../session/call.ts';
import {
  accentedKey,
  asPassword,
  asUser,
  emptyKey,
  encoded,
  filtered,
  head,
  localAddress,
  longKey,
  madeOf,
  misplaced,
  noCredential,
  otherPlaces,
  otherScheme,
  otherSchemes,
  shortKey,
  unknownKey,
  unknownOf,
  whole,
  wrapped,
} from '../../session/credentials.ts';
import type { RoleKey } from '../../target/target.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import type { Steps, StoryRequest } from '../steps.ts';
import { story } from '../story.ts';

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

/** Number of schemes that rotate over all tools. Each of the others goes to one tool. */
const schemesForAllTools = 3;

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
    const scheme = (number: number) => otherScheme(key, number);
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
      'send a credential that is too short or too long': inTurn([shortKey, longKey]),
      // Sent to reading tools only, because the server may accept the key under any scheme.
      'send a valid key with another scheme': toolsWithoutSideEffects.flatMap((tool) =>
        to([tool], tool === 'library.get' ? asPassword(key) : scheme(toolNames.indexOf(tool) % schemesForAllTools)),
      ),
      'send a valid key with one character appended': to(someTools, longer),
      'send a valid key without its last character': to(otherTools, shorter),
      'send no key': inTurn([emptyKey, accentedKey]),
      'send a valid key with an unusual scheme': inTurn([
        asUser(key),
        ...[...otherSchemes.keys()].slice(schemesForAllTools).map(scheme),
      ]),
      'send a valid key with other text around it': inTurn(wrapped(key)),
      'send a valid key in another notation': inTurn(encoded(key)),
      'send a valid key in the wrong place': inTurn(otherPlaces.map((place) => misplaced(key, place))),
      'send a valid key with one part changed': inTurn(altered(key)),
      'send a valid key in another letter case': otherCase === undefined ? [] : to(someTools, otherCase),
    };
    for (const [step, some] of Object.entries(requests)) await t.sendInParallel(step, some);
    if (otherCase === undefined) t.cannot('the key has no letters whose case could be changed');
  },
  alsoTests: [...ids.filter((id) => !ofFormerKeys.test(id)), ...errors.map(({ id }) => id), ...witnessesOf(401)],
});

const swapCase = "tr 'a-zA-Z' 'A-Za-z'";

/** Valid key with one part replaced or in the other case, with other separators, or as a pattern. */
function altered(like: RoleKey): Credential[] {
  const { key, variable } = like;
  const { length } = key;
  const spans: readonly [from: number, to: number][] = [
    [0, 1],
    [0, Math.ceil(length / 3)],
    [length - 2, length],
  ];
  const inParts = spans.flatMap(([from, to]) => {
    const part = key.slice(from, to);
    const start = head(like, from);
    const end = { plain: key.slice(to), shell: `\${${variable}:${to}}` };
    const others = (part.startsWith('8') ? '3' : '8').repeat(part.length);
    const swapped = otherCase(part);
    const cut = filtered(like, swapped, `tail -c +${from + 1} | head -c ${to - from} | ${swapCase}`);
    const label = `case swapped from ${from + 1} to ${to}`;
    return [
      unknownOf(like, `other characters from ${from + 1} to ${to}`, start, others, end),
      ...(swapped === part ? [] : [madeOf(like, 'other-case', label, 'Bearer ', start, cut, end)]),
    ];
  });
  // A lookup that normalizes keys finds these.
  const exchanged = key.replace(/[-_]/g, (separator) => (separator === '-' ? '_' : '-'));
  const separated = [
    unknownOf(like, 'separators exchanged', filtered(like, exchanged, "tr '_-' '-_'")),
    unknownOf(like, 'separators left out', filtered(like, key.replace(/[-_]/g, ''), "tr -d '_-'")),
  ];
  // Patterns that match the key in SQL, in a shell or as a regular expression.
  const half = Math.ceil(length / 2);
  const patterns = ['%', '*', '.*', '_'.repeat(length - half)].map((rest) =>
    unknownOf(like, `second half as ${rest.slice(0, 2)}`, head(like, half), rest),
  );
  return [...inParts, ...(exchanged === key ? [] : separated), ...patterns];
}

const otherCase = (text: string) =>
  [...text].map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('');

/**
 * Near misses of a valid key, by their error. `otherCase` is undefined if the key has no letters. `otherEnd` is
 * undefined if the key ends with neither a letter nor a digit.
 */
export function nearMisses(like: RoleKey) {
  const { key, variable } = like;
  const other = otherCase(key);
  const shorter = { plain: key.slice(0, -1), shell: `\${${variable}%?}` };
  const swapped = madeOf(like, 'other-case', 'case swapped', 'Bearer ', filtered(like, other, swapCase));
  return {
    longer: madeOf(like, 'longer', 'one letter more', 'Bearer ', whole(like), 'a'),
    shorter: madeOf(like, 'shorter', 'last letter missing', 'Bearer ', shorter),
    otherCase: other === key ? undefined : swapped,
    otherEnd: withOtherEnd(like),
  };
}

/**
 * Returns the key with another letter or digit at its end; undefined if it ends with another character. The new one is
 * in the other half of the Base64 alphabet, so that no decoder treats the keys as equal.
 */
function withOtherEnd(like: RoleKey): Credential | undefined {
  const { key } = like;
  const at = key.search(/[A-Za-z0-9]=*$/);
  if (at < 0) return undefined;
  const other = /[A-Za-f]/.test(key.charAt(at)) ? '9' : 'A';
  const start = filtered(like, key.slice(0, at), "sed 's/.=*$//'");
  return unknownOf(like, 'last letter changed', start, other, key.slice(at + 1));
}

/**
 * Calls every tool with keys that ended or whose API is closed, except tools with side effects that the run does not
 * allow. Names a workspace in one request, from a local address, because a server may check keys on some code paths
 * only.
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
        const allowed = toolNames.filter((tool) => {
          const effect = effectOf({ tool, credential: t.credential(as) });
          return effect === undefined || t.target.allow.includes(effect);
        });
        const requests = allowed.map((tool) =>
          tool === 'connections.status' ? { tool, args: t.here(), as, headers: localAddress } : { tool, args: {}, as },
        );
        await t.sendInParallel(`send the ${as} key`, requests);
      });
    }
  },
  alsoTests: [
    ...[...ids.filter((id) => ofFormerKeys.test(id)), ...[...closedSurfaces, ...surfaces].map(({ id }) => id)],
    ...witnessesOf(403),
  ],
});
