import { diffLines } from 'diff/lib/diff/line.js';
import { shownBody } from './body.ts';
import type { Answer } from './chain.ts';
import { plain } from './plain.ts';

/** Headers in which two equivalent responses may differ. */
export const incidental =
  /^(date|connection|keep-alive|content-length|transfer-encoding|server|age|etag|x-request-id)$/i;

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
  const shown = near.slice(0, most).map(({ text }) => text);
  return near.length > most ? [...shown, '…'] : shown;
}

function linesOf({ status, headers, body }: Answer, bodyShown: number): string {
  const telling = headers.filter(([name]) => !incidental.test(name));
  const named = telling.map(([name, value]) => `${plain(name, 100)}: ${plain(value, 300)}`);
  return `${[`HTTP ${status}`, ...named, '', shownBody(body, bodyShown)].join('\n')}\n`;
}
