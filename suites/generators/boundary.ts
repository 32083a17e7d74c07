import { toolNames, toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import { bodyLeniencies } from '../../fixtures/leniencies/index.ts';
import { closedRoles, type Role, servedRoles } from '../../fixtures/roles.ts';
import {
  encoded,
  misplaced,
  noCredential,
  otherPlaces,
  otherScheme,
  otherSchemes,
  unknownKey,
  wrapped,
} from '../session/credentials.ts';
import type { Credential } from '../session/sent-exchange.ts';
import { altered, nearMisses } from '../session/similar-keys.ts';
import type { RoleKey } from '../target.ts';
import { telling } from '../topics/bodies/values.ts';
import { families as alike } from '../topics/unknown-tools/unknown-tools.ts';
import { mayHaveEffectOf } from './arguments.ts';
import type { Kind, Move, Scope } from './move.ts';
import type { Random } from './random.ts';
import { sending, sendingAll } from './sending.ts';

/** Returns the URL-encoded name of a tool that does not exist, from one of several families. */
function unknownName(random: Random): string {
  const tool = random.pick(toolsWithoutSideEffects);
  const [topic = '', action = ''] = tool.split('.');
  const families: readonly (() => string)[] = [
    () => `${tool}${random.pick(['s', '.', '_', '-', '0', '.json', ' ', ';v=1', '~', '$', ',', '@2'])}`,
    () => `${random.pick(['_', '.', ' ', 'v1.', 'x', '-', '@'])}${tool}`,
    () => [
      tool.toUpperCase(),
      `${topic}.${action.toUpperCase()}`,
      tool.replace(/^./, (letter) => letter.toUpperCase()),
    ],
    () => `${topic}${random.pick(['_', '-', '', '..', ':', ' . ', '\u3002', '\uff0e', ','])}${action}`,
    () => `${action}.${topic}`,
    () => random.pick([topic, action, `${topic}.`, tool.slice(0, -1), tool.slice(1), `${topic}.${random.letters(5)}`]),
    () => tool.replace(random.pick([...'aeiou']), random.pick(['\u0430', '\u00e9', '\uff45', '\u0131', '*'])),
    () =>
      random.pick([
        'constructor',
        '__proto__',
        'toString',
        'hasOwnProperty',
        'valueOf',
        'prototype',
        '__defineGetter__',
      ]),
    () => random.pick(['*', 'null', 'undefined', '0', 'tools', 'index', 'list', 'health', 'mcp', '工具', '🛠', 'é']),
  ].map((make) => () => random.pick([make()].flat()));
  return random.oneIn(2) ? random.pick(alike)(tool) : encodeURIComponent(random.pick(families)());
}

/** Names that no tool has, so that a response that repeats one is recognizable. */
const madeUpName = (random: Random) => `tck.${random.letters(random.pick([4, 12, 12, 60, 120]))}`;

/** Picks `primary` in half of the cases, and never `throttled`, whose rate limit must not be exhausted by accident. */
function anyServed(random: Random, roles: readonly Role[]): Role {
  const others = servedRoles.filter((role) => role !== 'throttled' && roles.includes(role));
  return random.oneIn(2) || others.length === 0 ? 'primary' : random.pick(others);
}

const notJson = [...bodyLeniencies.flatMap(({ bodies }) => bodies), '<a/>', 'NaN', '\\', '{"a":}'];

/** Returns a body that is not a JSON object. */
function malformed(random: Random): string {
  const whole = random.between(-5, 99);
  const array = Array.from({ length: random.pick([0, 1, 2, 3, 1000, 3000]) }, () =>
    random.pick(['{}', '0', 'null', '"a"']),
  );
  return random.pick([
    ...notJson,
    ...[`"${random.letters(5)}"`, '""', '"{}"', String(whole), '1.5e3', '-0', 'true', 'false', 'null', ' null '],
    ...[`[${array.join()}]`, `[${array.join()}]`, '[{"jsonrpc":"2.0","method":"tools/call","id":1}]'],
  ]);
}

/** Returns invalid credentials. A server may wrongly accept one, so the body of such requests is `{}`. */
function badCredential(scope: Scope, like: Role, { t }: Parameters<Move['play']>[0], number: number): Credential[] {
  const key = t.key(like);
  const { longer, shorter, otherCase, otherEnd } = nearMisses(key);
  const unknown = unknownKey(key, t.text(`unknown key ${number}`, 32));
  const former = (['revoked', 'expired'] as const).filter((role) => scope.roles.includes(role));
  const near = [longer, shorter, otherCase ?? unknown, otherEnd ?? unknown];
  const others = [...wrapped(key), ...encoded(key), ...altered(key)];
  return [noCredential, unknown, ...near, ...others, ...former.map((role) => t.credential(role))];
}

/** Returns a good key with another scheme, or in another place. */
function elsewhere(key: RoleKey, number: number): Credential {
  const place = otherPlaces[number - otherSchemes.length];
  return place === undefined ? otherScheme(key, number) : misplaced(key, place);
}

/** Requests that are refused before any tool runs: by name, body or credential. */
export const boundaryMoves: readonly Kind[] = [
  {
    weight: 4,
    make: ({ random, roles }) => {
      const names = Array.from({ length: random.between(1, 5) }, () => {
        const isMadeUp = random.oneIn(3);
        return {
          tool: isMadeUp ? madeUpName(random) : unknownName(random),
          args: {},
          as: anyServed(random, roles),
          ...(isMadeUp ? { invented: ['tool'] } : {}),
        };
      });
      return sendingAll('ask for tools that do not exist', names, random.oneIn(3));
    },
  },
  {
    weight: 4,
    make: (scope) => {
      const { random, roles } = scope;
      const allowed = toolNames.filter((tool) => mayHaveEffectOf(scope, tool));
      const [tool, as, title] = [
        random.pick(allowed),
        anyServed(random, roles),
        'send a body that is not a JSON object',
      ];
      const bodies = random.oneIn(3) ? telling : Array.from({ length: random.between(1, 5) }, () => malformed(random));
      return sendingAll(
        title,
        bodies.map((body) => ({ tool, body, as })),
      );
    },
  },
  {
    weight: 4,
    make: (scope) => {
      const { random, roles } = scope;
      if (!roles.includes('primary')) return undefined;
      const [number, which, tool] = [random.below(1000), random.below(64), random.pick(toolNames)];
      const title = 'send a bad credential';
      const like = anyServed(random, roles);
      return {
        title,
        requests: 1,
        play: async (play) => {
          const all = badCredential(scope, like, play, number);
          const as = all[which % all.length] ?? noCredential;
          const { baseUrl } = play.t.key(as.role ?? like);
          await play.t.send(title, { tool, args: {}, as, ...(baseUrl === undefined ? {} : { baseUrl }) });
        },
      };
    },
  },
  {
    weight: 1,
    make: ({ random, roles }) => {
      if (!roles.includes('primary')) return undefined;
      const number = random.below(otherSchemes.length + otherPlaces.length);
      const tool = random.pick(toolsWithoutSideEffects);
      const title = 'send a valid key with another scheme';
      const play: Move['play'] = ({ t }) => t.send(title, { tool, args: {}, as: elsewhere(t.key('primary'), number) });
      return { title, requests: 1, play };
    },
  },
  {
    weight: 2,
    make: ({ random, roles, deployment: { workspace } }) => {
      const closed = roles.filter((role): role is (typeof closedRoles)[number] =>
        (closedRoles as readonly Role[]).includes(role),
      );
      if (closed.length === 0) return undefined;
      return sending('ask with a key whose API is closed', {
        tool: random.pick(toolsWithoutSideEffects),
        args: workspace === undefined || random.oneIn(2) ? {} : { workspace },
        as: random.pick(closed),
      });
    },
  },
];
