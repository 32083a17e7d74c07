import type { Role } from '../../fixtures/roles.ts';
import type { Credential } from '../exchange.ts';
import type { RoleKey } from '../target.ts';

const neverGood: ReadonlySet<Role> = new Set(['revoked', 'expired']);

/** The key of a role, sent as the document says. */
export function bearer({ role, key, variable }: RoleKey): Credential {
  return {
    label: role,
    role,
    header: `Bearer ${key}`,
    curl: `Bearer $${variable}`,
    good: !neverGood.has(role),
  };
}

export const noCredential: Credential = { kind: 'absent', label: 'no credential', good: false };

/** A key that nobody minted: made up from a seeded text, in the manner of a good one so that only look-up can refuse it. */
export function unknownKey(like: RoleKey, random: string): Credential {
  const tail = random.slice(0, Math.max(8, Math.floor(like.key.length / 2)));
  const value = `${like.key.slice(0, 3)}${tail}`;
  return { kind: 'unknown', label: 'unknown key', header: `Bearer ${value}`, curl: `Bearer ${tail}`, good: false };
}

/** A text that is shorter than any key, and no key. */
export const shortKey: Credential = {
  kind: 'unknown',
  label: 'a text too short for a key',
  header: 'Bearer tck-none',
  curl: 'Bearer tck-none',
  good: false,
};

/** A good key as the password of the scheme Basic. */
export function asPassword({ role, key, variable }: RoleKey): Credential {
  return {
    kind: 'other-scheme',
    label: `${role}, as a password`,
    header: `Basic ${Buffer.from(`any:${key}`).toString('base64')}`,
    curl: `Basic $(printf %s "any:$${variable}" | base64 | tr -d '\\n')`,
    good: false,
  };
}

/** Ways to send a good key that are not the scheme Bearer; the last one is the key alone. */
const otherSchemes = ['Basic ', 'Token ', ''] as const;

/** A good key under another scheme than Bearer, by the number of one of several. */
export function otherScheme({ role, key, variable }: RoleKey, number: number): Credential {
  const scheme = otherSchemes[number % otherSchemes.length] ?? '';
  const label = scheme === '' ? `${role}, no scheme` : `${role}, scheme ${scheme.trimEnd()}`;
  return { kind: 'other-scheme', label, header: `${scheme}${key}`, curl: `${scheme}$${variable}`, good: false };
}

/** A good key with the name of the scheme in lower case; whether that is the same scheme is for the deployment to say. */
export function lowerCaseScheme({ role, key, variable }: RoleKey): Credential {
  return {
    kind: 'key',
    label: `${role}, scheme bearer`,
    header: `bearer ${key}`,
    curl: `bearer $${variable}`,
    good: true,
  };
}

/** Keys that nearly match a good one, by what is wrong with them; `otherCase` is absent where a key has no letters. */
export function nearMisses({ role, key, variable }: RoleKey): {
  longer: Credential;
  shorter: Credential;
  otherCase: Credential | undefined;
  otherEnd: Credential | undefined;
} {
  const changed = withOtherEnd(key);
  const swapped = [...key].map((letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  });
  const other = swapped.join('');
  return {
    longer: {
      kind: 'longer',
      label: `${role}, one letter more`,
      header: `Bearer ${key}a`,
      curl: `Bearer \${${variable}}a`,
      good: false,
    },
    shorter: {
      kind: 'shorter',
      label: `${role}, last letter missing`,
      header: `Bearer ${key.slice(0, -1)}`,
      curl: `Bearer \${${variable}%?}`,
      good: false,
    },
    otherCase:
      other === key
        ? undefined
        : {
            kind: 'other-case',
            label: `${role}, case swapped`,
            header: `Bearer ${other}`,
            curl: `Bearer $(printf %s "$${variable}" | tr 'a-zA-Z' 'A-Za-z')`,
            good: false,
          },
    otherEnd:
      changed === undefined
        ? undefined
        : {
            kind: 'unknown',
            label: `${role}, last letter changed`,
            header: `Bearer ${changed}`,
            curl: `Bearer $(printf %s "$${variable}" | sed 's/.=*$//')$(printf %s "$${variable}" | tr -d = | tail -c 1 | tr 'A-Tg-zU-Z0-5a-d6-9fe' 'g-zA-T0-5U-Z6-9a-d_-')${key.slice(key.replace(/=*$/, '').length)}`,
            good: false,
          },
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * A key with another letter or digit at its end, as far away in the alphabet of base64 as can be, so that no decoder takes the two
 * for the same; undefined where it ends in something else.
 */
function withOtherEnd(key: string): string | undefined {
  const at = key.search(/[A-Za-z0-9]=*$/);
  if (at < 0) return undefined;
  const other = letters[(letters.indexOf(key.charAt(at)) + 32) % 64] ?? 'A';
  return `${key.slice(0, at)}${other}${key.slice(at + 1)}`;
}
