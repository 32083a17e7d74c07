import { describe } from '../../fixtures/contract/describe.ts';
import { roleEnv, roles } from '../../fixtures/roles.ts';
import { Redactor } from '../exchange/redactor.ts';
import { kit } from '../kit.ts';
import { statuses, verdicts } from '../result.ts';
import { UsageError } from '../usage/usage-error.ts';
import type { Target } from './target.ts';

/** A text that reports show, and the configuration field that contains it. */
type ShownText = readonly [field: string, text: string];

/**
 * Returns every secret of a target, with the name for its mark. Header values that reports show anyway are not secret.
 */
export function secretsOf(target: Target): Map<string, string> {
  const keys = new Set(Object.values(target.keys).map(({ key }) => key));
  const others = target.secrets.filter((secret) => !keys.has(secret));
  const isPublic = others.length === 0 ? () => false : publicWords(target);
  const secrets = new Map(others.filter((secret) => !isPublic(secret)).map((secret) => [secret, 'secret']));
  // If roles share a key, the first role names it.
  for (const role of roles.toReversed()) {
    const key = target.keys[role]?.key;
    if (key !== undefined) secrets.set(key, role);
  }
  return secrets;
}

/** Returns the redactor for everything that leaves the kit. It also knows the keys that a run renews. */
export function redactorOf(target: Target): Pick<Redactor, 'redact' | 'learn'> {
  const redactor = new Redactor(secretsOf(target));
  let known = target.secrets.length;
  return {
    learn: (secret, name) => redactor.learn(secret, name),
    redact(text) {
      for (; known < target.secrets.length; known += 1) {
        const secret = target.secrets[known] ?? '';
        redactor.learn(secret, secretsOf(target).get(secret) ?? 'secret');
      }
      return redactor.redact(text);
    },
  };
}

/**
 * Throws a UsageError if a key is part of a header or of a text that reports show. Redacting the key would make the
 * text unreadable. Messages never contain a key.
 */
export function assertKeysCanBeHidden(target: Target): void {
  const headers = target.headers.map(({ name, value }): ShownText => [`headers.${name}`, value]);
  const results: ShownText = ['the words of reports', [kit.name, ...verdicts, ...statuses].join('\n')];
  const places = [...configured(target), ...headers, ...ownWords(target), results];
  for (const { role, key, variable } of Object.values(target.keys)) {
    const place = places.find(([, text]) => text.toLowerCase().includes(key.toLowerCase()));
    if (place === undefined) continue;
    throw new UsageError(
      `keys.${role} (${variable}): expected a key that is not part of other texts, got a key that is in ${place[0]}; ` +
        'the kit cannot hide it in reports',
    );
  }
}

/** Returns a function that decides whether a secret is a word that reports show anyway. */
function publicWords(target: Target): (part: string) => boolean {
  const values = target.headers.flatMap(({ value, variable }) => variable ?? value);
  const texts = [...configured(target), ...ownWords(target)].map(([, text]) => text);
  const words = [...texts, ...values].join('\n').toLowerCase();
  return (part) => words.includes(part.toLowerCase());
}

function ownWords({ keys }: Target): ShownText[] {
  const variables = Object.values(keys).map(({ variable }) => variable);
  return [
    ['the specification', describe()],
    ['the words of reports', [...roles, ...roles.map(roleEnv), ...variables].join('\n')],
  ];
}

function configured({ baseUrl, workspaces, keys, headers }: Target): ShownText[] {
  const ofWorkspaces = workspaces.flatMap(({ slug, board, otherBoard }, index): ShownText[] => [
    [`workspaces[${index}].slug`, slug],
    [`workspaces[${index}].board`, board ?? ''],
    [`workspaces[${index}].otherBoard`, otherBoard ?? ''],
  ]);
  const ofKeys = Object.values(keys).flatMap((key): ShownText[] => [
    [`keys.${key.role}.baseUrl`, key.baseUrl ?? ''],
    [`keys.${key.role}.workspace`, key.workspace ?? ''],
    [`keys.${key.role}.board`, key.board ?? ''],
  ]);
  // Names come before values, because the label of a value contains the name, which may contain the key.
  const names = headers.map(({ name }) => name).join('\n');
  return [['the base URL', baseUrl], ...ofWorkspaces, ...ofKeys, ['the names of headers', names]];
}
