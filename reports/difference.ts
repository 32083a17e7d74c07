import { diffLines } from 'diff/lib/diff/line.js';
import { diffWordsWithSpace } from 'diff/lib/diff/word.js';
import type { Answer } from './chain.ts';
import { limited, plain, shownBody } from './plain.ts';

/** A segment of a text, and whether it is missing in the other text. */
export interface Piece {
  text: string;
  differs: boolean;
}

/** Minimum share of common text. Below this share, highlights are not useful. */
const leastInCommon = 0.4;

/** Word-by-word difference of two short texts. Highlights nothing if the texts have little in common. */
export function difference(expected: string, actual: string): { expected: Piece[]; actual: Piece[] } {
  const changes = diffWordsWithSpace(expected, actual);
  const common = changes.filter((change) => !change.added && !change.removed).map((change) => change.value);
  const share = letters(common.join('')) / Math.max(1, letters(expected), letters(actual));
  if (share < leastInCommon) {
    return { expected: [{ text: expected, differs: false }], actual: [{ text: actual, differs: false }] };
  }
  return {
    expected: changes.filter(({ added }) => !added).map((one) => ({ text: one.value, differs: one.removed })),
    actual: changes.filter(({ removed }) => !removed).map((one) => ({ text: one.value, differs: one.added })),
  };
}

function letters(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}

/** Headers in which two equivalent responses may differ. */
const incidental = /^(date|connection|keep-alive|content-length|transfer-encoding|server|age|etag|x-request-id)$/i;

/** The differing lines of two responses, `-` for the first and `+` for the second, with one line of context. */
export function differingLines([one, other]: readonly [Answer, Answer], bodyShown: number, most: number): string[] {
  const lines = diffLines(linesOf(one, bodyShown), linesOf(other, bodyShown)).flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : ' ';
    const texts = value.split('\n').slice(0, -1);
    return texts.map((text) => ({ text: `${sign} ${text}`, differs: added || removed }));
  });
  const near = lines.filter((_, index) =>
    lines.slice(Math.max(0, index - 1), index + 2).some(({ differs }) => differs),
  );
  const shown = near.map(({ text }) => text);
  return limited(shown, most, () => '…');
}

function linesOf({ status, headers, body }: Answer, bodyShown: number): string {
  const telling = headers.filter(([name]) => !incidental.test(name));
  const named = telling.map(([name, value]) => `${plain(name, 100)}: ${plain(value, 300)}`);
  return `${[`HTTP ${status}`, ...named, '', shownBody(body, bodyShown)].join('\n')}\n`;
}
