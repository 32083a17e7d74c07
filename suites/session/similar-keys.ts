import type { RoleKey } from '../target.ts';
import { filtered, head, madeOf, whole } from './credentials.ts';
import type { Credential } from './sent-exchange.ts';

const swapCase = "tr 'a-zA-Z' 'A-Za-z'";

/** Valid key with its separators exchanged or removed, which matches if a lookup normalizes keys. */
function separatedOtherwise(like: RoleKey): Credential[] {
  const { key } = like;
  const exchanged = key.replace(/[-_]/g, (separator) => (separator === '-' ? '_' : '-'));
  if (exchanged === key) return [];
  const removed = key.replace(/[-_]/g, '');
  return [
    madeOf(like, 'unknown', 'separators exchanged', 'Bearer ', filtered(like, exchanged, "tr '_-' '-_'")),
    madeOf(like, 'unknown', 'separators left out', 'Bearer ', filtered(like, removed, "tr -d '_-'")),
  ];
}

/** Patterns that match a valid key in SQL, in a shell or as a regular expression. */
function patterns(like: RoleKey): Credential[] {
  const half = Math.ceil(like.key.length / 2);
  return ['%', '*', '.*', '_'.repeat(like.key.length - half)].map((rest) =>
    madeOf(like, 'unknown', `second half as ${rest.slice(0, 2)}`, 'Bearer ', head(like, half), rest),
  );
}

/** Valid key with one part replaced or in the other case, with other separators, or as a pattern. */
export function altered(like: RoleKey): Credential[] {
  const { key, variable } = like;
  const spans = [
    [0, 1],
    [0, Math.ceil(key.length / 3)],
    [key.length - 2, key.length],
  ] as const;
  const inParts = spans.flatMap(([from, to]): Credential[] => {
    const part = key.slice(from, to);
    const end = { plain: key.slice(to), shell: `\${${variable}:${to}}` };
    const others = (part.startsWith('8') ? '3' : '8').repeat(part.length);
    const what = `other characters from ${from + 1} to ${to}`;
    const unknown = madeOf(like, 'unknown', what, 'Bearer ', head(like, from), others, end);
    const swapped = otherCase(part);
    if (swapped === part) return [unknown];
    const cut = filtered(like, swapped, `tail -c +${from + 1} | head -c ${to - from} | ${swapCase}`);
    const label = `case swapped from ${from + 1} to ${to}`;
    return [unknown, madeOf(like, 'other-case', label, 'Bearer ', head(like, from), cut, end)];
  });
  return [...inParts, ...separatedOtherwise(like), ...patterns(like)];
}

const otherCase = (text: string) =>
  [...text].map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('');

/**
 * Near misses of a valid key, by their error. `otherCase` is undefined if the key has no letters. `otherEnd` is
 * undefined if the key ends with neither a letter nor a digit.
 */
export function nearMisses(like: RoleKey): {
  longer: Credential;
  shorter: Credential;
  otherCase: Credential | undefined;
  otherEnd: Credential | undefined;
} {
  const { key, variable } = like;
  const other = otherCase(key);
  const shorter = { plain: key.slice(0, -1), shell: `\${${variable}%?}` };
  const swapped = () => madeOf(like, 'other-case', 'case swapped', 'Bearer ', filtered(like, other, swapCase));
  return {
    longer: madeOf(like, 'longer', 'one letter more', 'Bearer ', whole(like), 'a'),
    shorter: madeOf(like, 'shorter', 'last letter missing', 'Bearer ', shorter),
    otherCase: other === key ? undefined : swapped(),
    otherEnd: withOtherEnd(like),
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the key with another letter or digit at its end; undefined if it ends with another character. The new one is
 * half the Base64 alphabet away, so that no decoder treats the keys as equal.
 */
function withOtherEnd(like: RoleKey): Credential | undefined {
  const { key } = like;
  const at = key.search(/[A-Za-z0-9]=*$/);
  if (at < 0) return undefined;
  const other = letters[(letters.indexOf(key.charAt(at)) + 32) % 64] ?? 'A';
  const start = filtered(like, key.slice(0, at), "sed 's/.=*$//'");
  const moved = "tr -d = | tail -c 1 | tr 'A-Tg-zU-Z0-5a-d6-9fe' 'g-zA-T0-5U-Z6-9a-d_-'";
  return madeOf(
    like,
    'unknown',
    'last letter changed',
    'Bearer ',
    start,
    filtered(like, other, moved),
    key.slice(at + 1),
  );
}
