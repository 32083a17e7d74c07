/**
 * Returns a slug as servers may normalize it: in lower case, without white space and control characters at its ends.
 * The `trim` of many languages removes these characters. The specification does not define the meaning of normalized
 * slugs.
 */
export const normalizedSlug = (slug: unknown): string =>
  String(slug)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Java and Ruby trim these
    .replace(/^[\s\u0000-\u001f]+|[\s\u0000-\u001f]+$/g, '')
    .toLowerCase();
