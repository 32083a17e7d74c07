import { diffLines } from 'diff/lib/diff/line.js';
import { shownBody } from './body.ts';
import type { Link } from './chain.ts';
import { plain } from './plain.ts';

export type Answer = NonNullable<Link['comparedWith']>;

/** Headers in which two equivalent responses may differ. */
export const incidental =
  /^(date|connection|keep-alive|content-length|transfer-encoding|server|age|etag|x-request-id)$/i;

/** Line diff of two responses: `-` for lines only in the first, `+` for lines only in the second. */
export function responseDifference(one: Answer, other: Answer, bodyShown: number): string[] {
  return diffLines(linesOf(one, bodyShown), linesOf(other, bodyShown)).flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : ' ';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${sign} ${line}`);
  });
}

/** The first differing lines of two responses, with one line of context. */
export function differingLines([one, other]: readonly [Answer, Answer], bodyShown: number, most: number): string[] {
  const lines = responseDifference(one, other, bodyShown);
  const near = lines.filter((_, index) =>
    lines.slice(Math.max(0, index - 1), index + 2).some((line) => /^[-+]/.test(line)),
  );
  return [...near.slice(0, most), ...(near.length > most ? ['…'] : [])];
}

function linesOf({ status, headers, body }: Answer, bodyShown: number): string {
  const telling = headers.filter(([name]) => !incidental.test(name));
  const named = telling.map(([name, value]) => `${plain(name, 100)}: ${plain(value, 300)}`);
  return `${[`HTTP ${status}`, ...named, '', shownBody(body, bodyShown)].join('\n')}\n`;
}

/** The two responses of a comparison, in sending order. Undefined if the chain has no comparison. */
export function comparedIn(chain: readonly Link[]): [Answer, Answer] | undefined {
  const [one, other] = chain.filter(({ comparedWith }) => comparedWith !== undefined);
  const [first, second] = [one?.exchange.response, other?.exchange.response];
  return first && second ? [first, second] : undefined;
}
