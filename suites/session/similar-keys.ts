import type { RoleKey } from '../target.ts';
import { bad } from './credentials.ts';
import type { Credential } from './sent-exchange.ts';

/** Valid key with its separators exchanged or removed, which matches if a lookup normalizes keys. */
function separatedOtherwise({ role, key, variable }: RoleKey): Credential[] {
  const exchanged = key.replace(/[-_]/g, (separator) => (separator === '-' ? '_' : '-'));
  if (exchanged === key) return [];
  const unknown = (label: string, other: string, filter: string): Credential =>
    bad('unknown', `${role}, ${label}`, `Bearer ${other}`, `Bearer $(printf %s "$${variable}" | tr ${filter})`);
  return [
    unknown('separators exchanged', exchanged, "'_-' '-_'"),
    unknown('separators left out', key.replace(/[-_]/g, ''), "-d '_-'"),
  ];
}

/** Patterns that match a valid key in SQL, in a shell or as a regular expression. */
function patterns({ role, key, variable }: RoleKey): Credential[] {
  const half = Math.ceil(key.length / 2);
  return ['%', '*', '.*', '_'.repeat(key.length - half)].map((rest) =>
    bad(
      'unknown',
      `${role}, second half as ${rest.slice(0, 2)}`,
      `Bearer ${key.slice(0, half)}${rest}`,
      `Bearer $(printf %s "$${variable}" | head -c ${half})${rest}`,
    ),
  );
}

/** Valid key with one part replaced or in the other case, with other separators, or as a pattern. */
export function altered({ role, key, variable }: RoleKey): Credential[] {
  const third = Math.ceil(key.length / 3);
  const spans = [
    [0, 1],
    [0, third],
    [key.length - 2, key.length],
  ] as const;
  const inParts = spans.flatMap(([from, to]): Credential[] => {
    const part = key.slice(from, to);
    const [start, end] = [key.slice(0, from), key.slice(to)];
    const [shownStart, shownEnd] = [`$(printf %s "$${variable}" | head -c ${from})`, `\${${variable}:${to}}`];
    const others = (part.startsWith('8') ? '3' : '8').repeat(part.length);
    const unknown = bad(
      'unknown',
      `${role}, other characters from ${from + 1} to ${to}`,
      `Bearer ${start}${others}${end}`,
      `Bearer ${shownStart}${others}${shownEnd}`,
    );
    const swapped = otherCase(part);
    if (swapped === part) return [unknown];
    const cut = `$(printf %s "$${variable}" | tail -c +${from + 1} | head -c ${to - from} | tr 'a-zA-Z' 'A-Za-z')`;
    const label = `${role}, case swapped from ${from + 1} to ${to}`;
    const header = `Bearer ${start}${swapped}${end}`;
    return [unknown, bad('other-case', label, header, `Bearer ${shownStart}${cut}${shownEnd}`)];
  });
  return [...inParts, ...separatedOtherwise({ role, key, variable }), ...patterns({ role, key, variable })];
}

const otherCase = (text: string) =>
  [...text].map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('');

/**
 * Near misses of a valid key, by their error. `otherCase` is undefined if the key has no letters. `otherEnd` is
 * undefined if the key ends with neither a letter nor a digit.
 */
export function nearMisses({ role, key, variable }: RoleKey): {
  longer: Credential;
  shorter: Credential;
  otherCase: Credential | undefined;
  otherEnd: Credential | undefined;
} {
  const changed = withOtherEnd(key);
  const other = otherCase(key);
  return {
    longer: bad('longer', `${role}, one letter more`, `Bearer ${key}a`, `Bearer \${${variable}}a`),
    shorter: bad('shorter', `${role}, last letter missing`, `Bearer ${key.slice(0, -1)}`, `Bearer \${${variable}%?}`),
    otherCase:
      other === key
        ? undefined
        : bad(
            'other-case',
            `${role}, case swapped`,
            `Bearer ${other}`,
            `Bearer $(printf %s "$${variable}" | tr 'a-zA-Z' 'A-Za-z')`,
          ),
    otherEnd:
      changed === undefined
        ? undefined
        : bad(
            'unknown',
            `${role}, last letter changed`,
            `Bearer ${changed}`,
            [
              `Bearer $(printf %s "$${variable}" | sed 's/.=*$//')`,
              `$(printf %s "$${variable}" | tr -d = | tail -c 1 | tr 'A-Tg-zU-Z0-5a-d6-9fe' 'g-zA-T0-5U-Z6-9a-d_-')`,
              key.slice(key.replace(/=*$/, '').length),
            ].join(''),
          ),
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the key with another letter or digit at its end; undefined if it ends with another character. The new one is
 * half the Base64 alphabet away, so that no decoder treats the keys as equal.
 */
function withOtherEnd(key: string): string | undefined {
  const at = key.search(/[A-Za-z0-9]=*$/);
  if (at < 0) return undefined;
  const other = letters[(letters.indexOf(key.charAt(at)) + 32) % 64] ?? 'A';
  return `${key.slice(0, at)}${other}${key.slice(at + 1)}`;
}
