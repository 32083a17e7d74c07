/**
 * Whether a text matches a glob: `*` stands for any characters, `?` for one. The time is at most proportional to the
 * product of the two lengths.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let inText = 0;
  // Position to resume from if the part after the last `*` does not match.
  let afterStar = -1;
  let retryAt = 0;
  while (inText < text.length) {
    const sign = glob[at];
    if (sign === '*') {
      at += 1;
      afterStar = at;
      retryAt = inText;
    } else if (sign === '?' || (sign !== undefined && sign === text[inText])) {
      at += 1;
      inText += 1;
    } else if (afterStar >= 0) {
      at = afterStar;
      retryAt += 1;
      inText = retryAt;
    } else {
      return false;
    }
  }
  while (glob[at] === '*') at += 1;
  return at === glob.length;
}

/** Splits a text at the commas outside braces. A `{` without a later `}` is an ordinary character. */
export function splitGlobs(text: string): string[] {
  const lastClosing = text.lastIndexOf('}');
  const parts: string[] = [];
  let start = 0;
  let inBraces = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{' && at < lastClosing) inBraces = true;
    else if (text[at] === '}') inBraces = false;
    else if (text[at] === ',' && !inBraces) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Expands braces: `{a,b}.*` becomes `a.*` and `b.*`. Returns undefined for more than `most` globs. */
export function expandBraces(glob: string, most: number): string[] | undefined {
  // `split` with one group puts the content of each pair of braces at the odd positions.
  const [first = '', ...rest] = glob.split(/\{([^{}]*)\}/);
  let expanded = [first];
  for (let at = 0; at < rest.length; at += 2) {
    const choices = (rest[at] ?? '').split(',');
    if (expanded.length * choices.length > most) return undefined;
    expanded = expanded.flatMap((before) => choices.map((choice) => `${before}${choice}${rest[at + 1] ?? ''}`));
  }
  return expanded;
}
