import { isRole, type Role, servedRoles } from '../../fixtures/roles.ts';
import {
  asUser,
  emptyKey,
  lowerCaseScheme,
  misplaced,
  noCredential,
  otherPlaces,
  otherScheme,
  unknownKey,
  wrapped,
} from '../../suites/session/credentials.ts';
import type { Credential } from '../../suites/session/sent-exchange.ts';
import { altered, nearMisses } from '../../suites/session/similar-keys.ts';
import type { Steps } from '../../suites/topics/steps.ts';

/**
 * Recreates a credential from its label and the configured keys, because reports contain no keys. Undefined for an
 * unknown label. Ends the story as not tested if the key of the role is missing.
 */
export function credentialOf(t: Steps, label: string): Credential | undefined {
  if (label === noCredential.label) return noCredential;
  if (label === emptyKey.label) return emptyKey;
  if (label === 'unknown key') return anUnknownKey(t);
  if (isRole(label)) return t.credential(label);
  const role = label.split(',')[0] ?? '';
  return isRole(role) ? variants(t, role).find((credential) => credential.label === label) : undefined;
}

function variants(t: Steps, role: Role): Credential[] {
  const key = t.key(role);
  const near = Object.values(nearMisses(key)).filter((credential) => credential !== undefined);
  // At least the number of schemes. Higher numbers repeat earlier schemes.
  const schemes = Array.from({ length: 8 }, (_, number) => otherScheme(key, number));
  const misplacedKeys = otherPlaces.map((place) => misplaced(key, place));
  return [...near, ...schemes, ...misplacedKeys, ...wrapped(key), ...altered(key), asUser(key), lowerCaseScheme(key)];
}

/** Creates an unknown key that resembles a configured key. Without any, `primary` counts as missing. */
function anUnknownKey(t: Steps): Credential {
  const like = servedRoles.find((role) => t.has(role)) ?? 'primary';
  return unknownKey(t.key(like), t.text('unknown key of a replay', 32));
}
