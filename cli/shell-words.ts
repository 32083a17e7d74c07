const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);

/** A program with its arguments, quoted for a shell. */
export function shellWords(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}
