import { describe } from '../../fixtures/contract/describe.ts';
import { requirements } from '../../fixtures/requirements/index.ts';
import { roleEnv, roles } from '../../fixtures/roles.ts';
import { type Redact, type Redactors, redactors } from '../history/redaction/redactor.ts';
import { kit } from '../kit.ts';
import { statuses, verdicts } from '../result.ts';
import type { Target } from '../target.ts';
import { UsageError } from '../usage/usage-error.ts';

/** A text that reports show, and the field of the configuration that it comes from. */
type Shown = readonly [field: string, text: string];

/** Every secret of a target with the name that its mark carries; a header that reports show anyway is none. */
export function secretsOf(target: Target): Map<string, string> {
  const keys = new Set(Object.values(target.keys).map(({ key }) => key));
  const others = target.secrets.filter((secret) => !keys.has(secret));
  const isPublic = others.length === 0 ? () => false : publicWords(target);
  const secrets = new Map(others.filter((secret) => !isPublic(secret)).map((secret) => [secret, 'secret']));
  // Of the roles that share a key the first gives it its name.
  for (const role of roles.toReversed()) {
    const key = target.keys[role]?.key;
    if (key !== undefined) secrets.set(key, role);
  }
  return secrets;
}

/** Redactors for the secrets of a target. As parts they find keys too that differ from a good one in a character. */
export function redactorsOf(target: Target): Redactors {
  let isPublic: ((part: string) => boolean) | undefined;
  return redactors(secretsOf(target), (part) => {
    isPublic ??= publicWords(target);
    return isPublic(part);
  });
}

/** The redactor for whatever leaves the kit. */
export function redactorOf(target: Target): Redact {
  return redactorsOf(target).all;
}

/**
 * Throws a UsageError for a key that is a part of something that reports show, or of a header: redacted, the one would
 * make the other unreadable. No message holds a key.
 */
export function assertKeysCanBeHidden(target: Target): void {
  const headers = target.headers.map(({ name, value }): Shown => [`headers.${name}`, value]);
  const variables = Object.values(target.keys).map((each) => each.variable);
  const own = [kit.name, ...verdicts, ...statuses, ...roles, ...roles.map(roleEnv), ...variables].join('\n');
  const places = [
    ...configured(target),
    // Before the values, whose place is told by the name.
    ['the names of headers', target.headers.map(({ name }) => name).join('\n')] as const,
    ...headers,
    ['the specification', describe()] as const,
    ['the words of reports', own] as const,
  ];
  for (const { role, key, variable } of Object.values(target.keys)) {
    const place = places.find(([, text]) => text.toLowerCase().includes(key.toLowerCase()));
    if (place === undefined) continue;
    throw new UsageError(
      `keys.${role} (${variable}): expected a key that is no part of other texts, got one that is in ${place[0]}; ` +
        'the kit cannot hide it in reports',
    );
  }
}

/** Says of a part of a secret whether it is a word that reports show anyway, so that it reveals nothing. */
function publicWords(target: Target): (part: string) => boolean {
  const headers = target.headers.flatMap(({ name, value, variable }) => [name, variable ?? value]);
  const variables = Object.values(target.keys).map(({ variable }) => variable);
  const own = [describe(), JSON.stringify(requirements), ...roles, ...roles.map(roleEnv)];
  const texts = [...own, ...configured(target).map(([, text]) => text), ...headers, ...variables];
  const words = texts.join('\n').toLowerCase();
  return (part) => words.includes(part.toLowerCase());
}

function configured({ baseUrl, workspaces, keys }: Target): Shown[] {
  const ofWorkspaces = workspaces.flatMap(({ slug, board }, index): Shown[] => [
    [`workspaces[${index}].slug`, slug],
    [`workspaces[${index}].board`, board ?? ''],
  ]);
  const ofKeys = Object.values(keys).flatMap((key): Shown[] => [
    [`keys.${key.role}.baseUrl`, key.baseUrl ?? ''],
    [`keys.${key.role}.workspace`, key.workspace ?? ''],
    [`keys.${key.role}.board`, key.board ?? ''],
  ]);
  return [['the base URL', baseUrl], ...ofWorkspaces, ...ofKeys];
}
