/**
 * Whether a whole text matches a glob: `*` is anything, `?` one character. Takes time in proportion to the length of
 * both.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let inText = 0;
  // Where to go on when what follows the last star does not match here.
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

/** Splits at commas that do not stand in braces; a brace that is never closed is none. */
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

/**
 * Every glob that one with braces stands for: `a.*` and `b.*` for `{a,b}.*`; undefined where they are more than `most`.
 */
export function expandBraces(glob: string, most: number): string[] | undefined {
  // Of a split with one group every second part is what stood in braces.
  const [first = '', ...rest] = glob.split(/\{([^{}]*)\}/);
  let expanded = [first];
  for (let at = 0; at < rest.length; at += 2) {
    const choices = (rest[at] ?? '').split(',');
    if (expanded.length * choices.length > most) return undefined;
    expanded = expanded.flatMap((before) => choices.map((choice) => `${before}${choice}${rest[at + 1] ?? ''}`));
  }
  return expanded;
}
