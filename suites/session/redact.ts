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
  return (text) =>
    spelled.reduce(
      (rest, [secret, words]) => (rest.includes(secret) ? rest.replaceAll(secret, `<${words}>`) : rest),
      text,
    );
}
