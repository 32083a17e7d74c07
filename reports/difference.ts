import { diffWordsWithSpace } from 'diff/lib/diff/word.js';

/** A stretch of a text, and whether the other text lacks it. */
export interface Piece {
  text: string;
  differs: boolean;
}

export interface Difference {
  expected: Piece[];
  actual: Piece[];
}

/** With less than this share of the longer text in common, marking the rest says nothing. */
const leastInCommon = 0.4;

/** Longer texts than this are not compared: the work grows with the square of the length. */
const longestCompared = 2000;

/** Where two short texts differ, word by word. Nothing is marked where they have hardly anything in common. */
export function difference(expected: string, actual: string): Difference {
  const unmarked = { expected: [{ text: expected, differs: false }], actual: [{ text: actual, differs: false }] };
  if (expected.length + actual.length > longestCompared) return unmarked;
  const changes = diffWordsWithSpace(expected, actual);
  const common = changes.filter((change) => !change.added && !change.removed).map((change) => change.value);
  const share = letters(common.join('')) / Math.max(1, letters(expected), letters(actual));
  if (share < leastInCommon) return unmarked;
  return {
    expected: merged(changes.filter(({ added }) => !added).map(({ value, removed }) => piece(value, removed))),
    actual: merged(changes.filter(({ removed }) => !removed).map(({ value, added }) => piece(value, added))),
  };
}

function piece(text: string, differs: boolean | undefined): Piece {
  return { text, differs: differs ?? false };
}

/** Blanks and punctuation between two marks belong to them: one mark is easier to read than three. */
function merged(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  pieces.forEach((next, index) => {
    const before = all.at(-1);
    const between = before?.differs === true && pieces[index + 1]?.differs === true && letters(next.text) === 0;
    const differs = next.differs || between;
    if (before !== undefined && before.differs === differs) before.text += next.text;
    else all.push({ text: next.text, differs });
  });
  return all;
}

function letters(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}
