import { isRole, type Role, servedRoles } from '../../fixtures/roles.ts';
import type { Credential } from '../../suites/exchange.ts';
import type { Steps } from '../../suites/flows/steps.ts';
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
import { altered, nearMisses } from '../../suites/session/similar-keys.ts';

/**
 * The credential that a report names by its label, made of the keys at hand: a report holds none. Undefined for a label
 * that stands for nothing; ends the flow as not tested where the key of its role is missing.
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
  // As many schemes as there may be: past the last one they begin again.
  const schemes = Array.from({ length: 8 }, (_, number) => otherScheme(key, number));
  const misplacedKeys = otherPlaces.map((place) => misplaced(key, place));
  return [...near, ...schemes, ...misplacedKeys, ...wrapped(key), ...altered(key), asUser(key), lowerCaseScheme(key)];
}

/** Made in the manner of a good key; without any at hand that of `primary` is what is missing. */
function anUnknownKey(t: Steps): Credential {
  const like = servedRoles.find((role) => t.has(role)) ?? 'primary';
  return unknownKey(t.key(like), t.text('unknown key of a replay', 32));
}
