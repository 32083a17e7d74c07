import width from 'fast-string-width';

/** A line of a text, as offsets into it. */
export interface Line {
  start: number;
  end: number;
}

/**
 * Breaks printable text into lines of at most `columns` columns, between words where that is possible; line feeds break
 * too.
 */
export function wrapped(text: string, columns: number): Line[] {
  const lines: Line[] = [];
  let offset = 0;
  for (const paragraph of text.split('\n')) {
    lines.push(...paragraphLines(paragraph, offset, Math.max(1, columns)));
    offset += paragraph.length + 1;
  }
  return lines;
}

function paragraphLines(paragraph: string, offset: number, columns: number): Line[] {
  const lines: Line[] = [];
  let line: Line | null = null;
  for (const word of wordsOf(paragraph, columns)) {
    const start = offset + word.index;
    const end = start + word.text.length;
    if (line !== null && width(paragraph.slice(line.start - offset, end - offset)) <= columns) {
      line.end = end;
    } else {
      line = { start, end };
      lines.push(line);
    }
  }
  return line === null ? [{ start: offset, end: offset }] : lines;
}

/** Where a word that is wider than a line, such as JSON or a path, may break. */
const breaks = /(?<=[,;&?]|[./](?=\p{L}))/u;

/** Words; one that is wider than a line comes in parts. The blanks before the first word belong to it, as an indent. */
function* wordsOf(paragraph: string, columns: number): Generator<{ index: number; text: string }> {
  for (const match of paragraph.matchAll(/^\s+\S+|\S+/g)) {
    let index = match.index;
    const parts = width(match[0]) <= columns ? [match[0]] : match[0].split(breaks);
    for (const text of parts.flatMap((part) => pieces(part, columns))) {
      yield { index, text };
      index += text.length;
    }
  }
}

/** A part of a word, cut where it is still wider than a line. */
function pieces(part: string, columns: number): string[] {
  if (width(part) <= columns) return [part];
  const cut = [''];
  for (const character of part) {
    const last = cut.at(-1) ?? '';
    if (last !== '' && width(last) + width(character) > columns) cut.push(character);
    else cut[cut.length - 1] = last + character;
  }
  return cut;
}
