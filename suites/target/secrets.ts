import { describe } from '../../fixtures/contract/describe.ts';
import { requirements } from '../../fixtures/requirements/index.ts';
import { roleEnv, roles } from '../../fixtures/roles.ts';
import { type Redact, redactor } from '../history/redaction/redactor.ts';
import type { Target } from '../target.ts';

/** Every secret of a target with the name that its mark carries. */
export function secretsOf(target: Pick<Target, 'keys' | 'secrets'>): Map<string, string> {
  const secrets = new Map(target.secrets.map((secret) => [secret, 'secret']));
  // Of the roles that share a key the first gives it its name.
  for (const role of roles.toReversed()) {
    const key = target.keys[role]?.key;
    if (key !== undefined) secrets.set(key, role);
  }
  return secrets;
}

/** Redacts the secrets of a target, and with them the keys that differ from a good one in a character or in case. */
export function redactorOf(target: Target): Redact {
  let known: string | undefined;
  return redactor(secretsOf(target), (part) => {
    known ??= publicWords(target);
    return known.includes(part.toLowerCase());
  });
}

/** Words that reports show in any case: a part of a secret that is one of them reveals nothing. */
function publicWords({ baseUrl, workspaces, keys, headers }: Target): string {
  const ofKeys = Object.values(keys).flatMap((key) => [key.baseUrl, key.workspace, key.board, key.variable]);
  const ofHeaders = headers.flatMap(({ name, value, variable }) => [name, variable ?? value]);
  const configured = [baseUrl, ...workspaces.flatMap(({ slug, board }) => [slug, board]), ...ofKeys, ...ofHeaders];
  const own = [describe(), JSON.stringify(requirements), ...roles, ...roles.map(roleEnv)];
  return [...own, ...configured].join('\n').toLowerCase();
}
