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
  const hidden = others.filter((secret) => placeOf(secret, target) === undefined);
  const secrets = new Map(hidden.map((secret) => [secret, 'secret']));
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
  for (const { role, key, variable } of Object.values(target.keys)) {
    const place = placeOf(key, target);
    if (place === undefined) continue;
    throw new UsageError(
      `keys.${role} (${variable}): expected a key that is not part of other texts, got a key that is in ${place}; ` +
        'the kit cannot hide it in reports',
    );
  }
}

/**
 * Texts that reports show anyway, because they are the same for all deployments, in lower case. A word of them is no
 * secret.
 */
export const publicText = [describe(), JSON.stringify(schema), kit.name, ...roles, ...roles.map(roleEnv), ...topics]
  .join('\n')
  .toLowerCase();

/** Returns where reports show a secret anyway, as a part of another text; undefined if nowhere. */
function placeOf(secret: string, { baseUrl, workspaces, keys, headers }: Target): string | undefined {
  const places: [place: string, text: string | undefined][] = [
    ['the base URL', baseUrl],
    ...workspaces.flatMap((workspace, index) => members(`workspaces[${index}]`, workspace)),
    ...Object.values(keys).flatMap(({ role, variable, baseUrl, workspace, board }) =>
      members(`keys.${role}`, { variable, baseUrl, workspace, board }),
    ),
    ...headers.flatMap(({ name, value, variable }) => members('headers', { name, value: variable ?? value })),
    ['the specification or the words of reports', publicText],
  ];
  return places.find(([, text]) => text?.toLowerCase().includes(secret.toLowerCase()))?.[0];
}

function members(of: string, texts: object): [place: string, text: string][] {
  return Object.entries(texts).flatMap(([name, text]) => (typeof text === 'string' ? [[`${of}.${name}`, text]] : []));
}
