import width from 'fast-string-width';

/** A line, as offsets into the text. */
export interface Line {
  start: number;
  end: number;
}

/** Wraps printable text at `columns` columns and at line feeds. Breaks between words if possible. */
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

/** Preferred break points within a word that is wider than a line, for example JSON or a path. */
const breaks = /(?<=[,;&?]|[./](?=\p{L}))/u;

/** Words, split if they are wider than a line. Leading spaces belong to the first word, as an indent. */
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

/** Splits a part of a word that is still wider than a line. */
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
