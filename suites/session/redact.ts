import { literal } from '../literal.ts';

/** Replaces every secret in a text by a placeholder. */
export type Redact = (text: string) => string;

/**
 * A redactor for the given secrets, each with the words that stand in its place. Longer secrets go first, so that one
 * that contains another leaves nothing of itself behind.
 */
export function redactor(secrets: ReadonlyMap<string, string>): Redact {
  const found = [...secrets].filter(([secret]) => secret.length > 0).sort(([a], [b]) => b.length - a.length);
  // A secret that JSON or a URL writes differently is looked for in those spellings too.
  const spelled = found.flatMap(([secret, words]) =>
    [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])].map(
      (spelling) => [spelling, words] as const,
    ),
  );
  return (text) => {
    const whole = spelled.reduce(
      (rest, [secret, words]) => (rest.includes(secret) ? rest.replaceAll(wherever(secret), () => `<${words}>`) : rest),
      text,
    );
    // A text that was shortened may break off within a secret.
    return whole.includes('\u2026') ? spelled.reduce(withoutBeginning, whole) : whole;
  };
}

/** A secret of a few letters is one where it stands alone: within a word the same letters are a part of that word. */
const fewLetters = 5;

function wherever(secret: string): string | RegExp {
  if (secret.length >= fewLetters) return secret;
  return new RegExp(`(?<![A-Za-z0-9])${literal(secret)}(?![A-Za-z0-9])`, 'g');
}

function withoutBeginning(text: string, [secret, words]: readonly [string, string]): string {
  for (let length = secret.length - 1; length >= 4; length -= 1) {
    const beginning = `${secret.slice(0, length)}\u2026`;
    if (text.includes(beginning)) return text.replaceAll(beginning, `<${words}>\u2026`);
  }
  return text;
}
