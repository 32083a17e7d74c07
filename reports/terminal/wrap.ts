import width from 'string-width';

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

/** Words; one that is wider than a line comes in parts. The blanks before the first word belong to it, as an indent. */
function* wordsOf(paragraph: string, columns: number): Generator<{ index: number; text: string }> {
  for (const match of paragraph.matchAll(/^\s+\S+|\S+/g)) {
    if (width(match[0]) <= columns) {
      yield { index: match.index, text: match[0] };
      continue;
    }
    let part = '';
    let index = match.index;
    for (const character of match[0]) {
      if (part !== '' && width(part) + width(character) > columns) {
        yield { index, text: part };
        index += part.length;
        part = '';
      }
      part += character;
    }
    yield { index, text: part };
  }
}
