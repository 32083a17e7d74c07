import { toolNames } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import { type Check, check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import type { Answered, Credential } from '../exchange.ts';
import { boundaryError, succeeds } from '../expect/answers.ts';
import { headerParts } from '../expect/same.ts';
import { type Cause, firstToldApart, sameText } from '../scenes/apart.ts';
import { controlReadings } from '../scenes/reading.ts';
import {
  asPassword,
  nearMisses,
  noCredential,
  otherScheme,
  servedRoles,
  shortKey,
  unknownKey,
} from '../session/credentials.ts';

/** Tools that change nothing: a good key may be taken under any scheme, so it goes to no other tool. */
const readingTools = toolNames.filter((tool) => tool !== 'content.create_request' && tool !== 'images.generate');

/** A role whose key is good; a credential that resembles it is good for nothing. */
function aServedRole(t: Context): Role {
  const role = servedRoles.find((candidate) => t.has(candidate));
  return role ?? t.cannot('no key that is served', { kind: 'role', role: 'primary' });
}

const unknown = (t: Context) => unknownKey(t.key(aServedRole(t)), t.text('unknown key', 32));
/** A different scheme for one tool than for the next. */
const scheme = (t: Context, tool: string) =>
  tool === 'library.get'
    ? asPassword(t.key(aServedRole(t)))
    : otherScheme(t.key(aServedRole(t)), (toolNames as readonly string[]).indexOf(tool));
const nearMiss = (which: 'longer' | 'shorter' | 'otherCase') => (t: Context) =>
  nearMisses(t.key(aServedRole(t)))[which] ?? t.cannot('the key has no letters whose case could be changed');
/** A key that is nearly a good one to its last letter, and a text that nobody could take for a key. */
const otherUnknown = (t: Context, tool: string) =>
  (tool === 'schedule.read' ? undefined : nearMisses(t.key(aServedRole(t))).otherEnd) ?? shortKey;
const ofRole = (role: Role) => (t: Context) => t.credential(role);

const uniformHint =
  'one answer for every credential that does not resolve: build it in one place, before anything is known about the key';

const acrossHint = 'the 401 is the same for every tool: answer it before the tool is looked at';

/** A call with a bad credential, with an empty object, so that nothing could run. */
function ask(t: Context, tool: string, as: Credential, fresh: boolean, where = as.role): Promise<Answered> {
  const baseUrl = where && t.target.keys[where]?.baseUrl;
  return t.call(tool, {}, { as, fresh, ...(baseUrl === undefined ? {} : { baseUrl }) });
}

/** Every tool refuses a credential of this kind with 401, and serves a good one. */
function refused(
  requirement: RequirementId,
  credentialOf: (t: Context, tool: string) => Credential,
  tools: readonly string[] = toolNames,
  roles: readonly Role[] = [],
  title?: string,
): Check {
  return check({
    requirement,
    ...(title === undefined ? {} : { title }),
    needs: { roles },
    async run(t) {
      if (t.has('primary')) await controlReadings(t);
      const answers = await Promise.all(tools.map((tool) => ask(t, tool, credentialOf(t, tool), false)));
      for (const answer of answers) {
        t.expect(
          boundaryError(
            answer,
            401,
            undefined,
            `${answer.request.tool}: look the key up as it came, to the letter, before anything else; only a current key sent as Bearer is good`,
          ),
        );
      }
    },
  });
}

/** A call with a credential that resolves to nothing. */
interface Unresolved {
  name: string;
  tool: string;
  as: Credential;
  /** The role at whose base URL it is asked. */
  where?: Role | undefined;
}

/** Two such calls have the same body, and headers that do not tell one from the other. */
async function expectAlike(t: Context, pairs: readonly [Unresolved, Unresolved][], hint: string): Promise<void> {
  const asked = await Promise.all(
    pairs.map(async (pair) => {
      const [one, other] = await Promise.all(pair.map(({ tool, as, where }) => ask(t, tool, as, false, where)));
      // Where one of the two is no 401 at all, that is told by the requirement which asks for 401.
      const judged = one?.answer.status === 401 && other?.answer.status === 401;
      if (one === undefined || other === undefined) return [];
      if (!judged) {
        t.leaveToOthers([one, other]);
        return [];
      }
      const differing = sameText({ name: pair[0].name, answer: one }, { name: pair[1].name, answer: other }, hint);
      return [{ pair, differing }];
    }),
  );
  const judged = asked.flat();
  if (judged.length === 0) t.cannot('no two such calls were answered with 401');
  t.expect(...judged.map(({ differing }) => differing));
  const causes = judged
    .filter(({ differing }) => differing === undefined)
    .map(({ pair: [one, other] }) => [causeOf(t, one), causeOf(t, other)] as const);
  t.expect(await firstToldApart(t, causes, headerParts, hint));
}

function causeOf(t: Context, { name, tool, as, where }: Unresolved): Cause {
  return { name, ask: (fresh) => ask(t, tool, as, fresh, where) };
}

/** A credential of this kind gets the answer of an absent one, whichever tool is called. */
function likeAbsent(
  requirement: RequirementId,
  credentialsOf: (t: Context, tool: string) => readonly Credential[],
  tools: readonly string[],
  roles: readonly Role[] = [],
  title?: string,
): Check {
  return check({
    requirement,
    ...(title === undefined ? {} : { title }),
    needs: { roles },
    async run(t) {
      const pairs = tools.flatMap((tool) =>
        credentialsOf(t, tool).map((as): [Unresolved, Unresolved] => [
          { name: `${tool} without a credential`, tool, as: noCredential, where: as.role },
          { name: `${tool} with ${as.label}`, tool, as },
        ]),
      );
      await expectAlike(t, pairs, uniformHint);
    },
  });
}

/** Tools on which the rarer kinds of credential are tried: one that reads, one that writes, one that spends, and one without a workspace. */
const someTools = ['schedule.read', 'content.create_request', 'images.generate', 'credits.balance'];

const otherUnknownTools = ['schedule.read', 'connections.status', 'credits.balance'];

export const authentication = [
  check({
    requirement: 'authentication.bearer-accepted',
    needs: { roles: [] },
    async run(t) {
      const as = aServedRole(t);
      t.expect(
        succeeds(
          await t.call('credits.balance', {}, { as }),
          `the key in the role '${as}' ought to be good: check that it is current, then how the header is read`,
        ),
      );
    },
  }),
  refused('authentication.absent-refused', () => noCredential),
  refused('authentication.unknown-refused', unknown),
  refused(
    'authentication.unknown-refused',
    otherUnknown,
    otherUnknownTools,
    [],
    'A key with another letter at its end, and a text too short for a key, are refused with 401.',
  ),
  refused('authentication.revoked-refused', ofRole('revoked'), toolNames, ['revoked']),
  refused('authentication.expired-refused', ofRole('expired'), toolNames, ['expired']),
  refused('authentication.other-scheme-refused', scheme, readingTools),
  refused('authentication.longer-key-refused', nearMiss('longer'), someTools),
  refused('authentication.shorter-key-refused', nearMiss('shorter'), someTools),
  refused('authentication.other-case-key-refused', nearMiss('otherCase'), someTools),
  check({
    requirement: 'authentication.uniform-across-tools',
    needs: { roles: [] },
    async run(t) {
      const [reference, ...others] = toolNames.map((tool) => ({ name: tool, tool, as: noCredential }));
      if (reference === undefined) return;
      await expectAlike(
        t,
        others.map((other): [Unresolved, Unresolved] => [reference, other]),
        acrossHint,
      );
    },
  }),
  likeAbsent('authentication.unknown-like-absent', (t) => [unknown(t)], toolNames),
  likeAbsent(
    'authentication.unknown-like-absent',
    (t, tool) => [otherUnknown(t, tool)],
    otherUnknownTools,
    [],
    'A key with another letter at its end, and a text too short for a key, get the very answer of no credential.',
  ),
  likeAbsent('authentication.revoked-like-absent', (t) => [t.credential('revoked')], toolNames, ['revoked']),
  likeAbsent('authentication.expired-like-absent', (t) => [t.credential('expired')], toolNames, ['expired']),
  likeAbsent('authentication.other-scheme-like-absent', (t, tool) => [scheme(t, tool)], readingTools),
  likeAbsent(
    'authentication.near-misses-like-absent',
    (t) => {
      const { longer, shorter, otherCase } = nearMisses(t.key(aServedRole(t)));
      return [longer, shorter, ...(otherCase === undefined ? [] : [otherCase])];
    },
    someTools,
  ),
];
