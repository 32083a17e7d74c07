import { html } from 'hono/html';
import type { RunResult } from '../suites/result.ts';
import { counted } from '../suites/usage/counted.ts';
import { figuresOf, testedOf } from './figures.ts';
import { safeJson } from './json.ts';

interface Badge {
  label: string;
  message: string;
  colour: 'brightgreen' | 'blue' | 'red' | 'lightgrey';
}

const hex: Readonly<Record<Badge['colour'], string>> = {
  brightgreen: '#2f7d1f',
  blue: '#2d5f8b',
  red: '#b3261e',
  lightgrey: '#5f6368',
};

/** Approximate width of a character in the font of the badge. */
const pixelsPerCharacter = 6.6;

/** `badge.json`, in the format of a shields.io endpoint badge. */
export function badgeJson(result: RunResult): string {
  const { label, message, colour } = badgeOf(result);
  return safeJson({ schemaVersion: 1, label, message, color: colour, isError: result.verdict !== 'conformant' });
}

/** `badge.svg`: the badge as an image. */
export function badgeSvg(result: RunResult): string {
  const { label, message, colour } = badgeOf(result);
  const left = widthOf(label);
  const right = widthOf(message);
  const title = `${label}: ${message}`;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img"
aria-label="${title}">
  <title>${title}</title>
  <rect width="${left}" height="20" fill="#444"/>
  <rect x="${left}" width="${right}" height="20" fill="${hex[colour]}"/>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
    <text x="${left / 2}" y="14" textLength="${left - 12}">${label}</text>
    <text x="${left + right / 2}" y="14" textLength="${right - 12}">${message}</text>
  </g>
</svg>
`;
  return String(svg);
}

/** Only complete runs are green. A partial run is neutral. */
function badgeOf(result: RunResult): Badge {
  const label = 'tool-call API';
  const { verdict, complete } = result;
  const { failed, knownFailures } = figuresOf(result).requirements;
  switch (verdict) {
    case 'conformant':
      return complete
        ? { label, message: 'conformant', colour: 'brightgreen' }
        : { label, message: `no violations, ${testedOf(result)}`, colour: 'blue' };
    case 'non-conformant':
      return failed > 0
        ? { label, message: `${counted(failed, 'requirement')} failed`, colour: 'red' }
        : { label, message: counted(knownFailures, 'known failure'), colour: 'lightgrey' };
    case 'inconclusive':
      return { label, message: verdict, colour: 'lightgrey' };
  }
}

function widthOf(text: string): number {
  return Math.round(text.length * pixelsPerCharacter) + 12;
}
