import { describe } from '../../fixtures/contract/describe.ts';
import schema from '../../fixtures/report.schema.json' with { type: 'json' };
import { topics } from '../../fixtures/requirements/model.ts';
import { roleEnv, roles } from '../../fixtures/roles.ts';
import { Redactor } from '../exchange/redactor.ts';
import { kit } from '../kit.ts';
import { UsageError } from '../usage/usage-error.ts';
import type { Target } from './target.ts';

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
 * Throws a UsageError if a key is part of a text that reports show. To redact the key would make the text unreadable.
 * Messages never contain a key.
 */
export function assertKeysCanBeHidden(target: Target): void {
  const isPublic = publicWords(target);
  const shown = Object.values(target.keys).find(({ key }) => isPublic(key));
  if (shown === undefined) return;
  throw new UsageError(
    `keys.${shown.role} (${shown.variable}): expected a key that is not part of other texts, got a key that is in ` +
      'the specification or elsewhere in the configuration; the kit cannot hide it in reports',
  );
}

/** Texts that reports show anyway, because they are the same for all deployments. A word of them is no secret. */
export const publicText = () =>
  [describe(), JSON.stringify(schema), kit.name, ...roles, ...roles.map(roleEnv), ...topics].join('\n');

/** Returns a function that decides whether a secret is a word that reports show anyway. */
function publicWords({ baseUrl, workspaces, keys, headers }: Target): (secret: string) => boolean {
  const words = [
    ...[publicText(), baseUrl],
    ...workspaces.flatMap(({ slug, board, otherBoard }) => [slug, board, otherBoard]),
    ...Object.values(keys).flatMap((key) => [key.variable, key.baseUrl, key.workspace, key.board]),
    ...headers.flatMap(({ name, value, variable }) => [name, variable ?? value]),
  ];
  const text = words.join('\n').toLowerCase();
  return (secret) => text.includes(secret.toLowerCase());
}
