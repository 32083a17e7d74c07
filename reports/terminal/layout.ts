import { type InspectColor, styleText } from 'node:util';
import width from 'fast-string-width';
import type { Piece } from '../difference.ts';
import { plainLines } from '../plain.ts';

/** Output options: width in columns, and whether to use colors. */
export interface Look {
  width: number;
  colour: boolean;
}

export type Format = readonly InspectColor[];

const labelColumns = 10;

/** Text in a format if colors are enabled. Replaces control characters with placeholders. */
export function paint(look: Look, format: Format, text: string): string {
  const shown = printable(text);
  return look.colour && shown !== '' ? styleText([...format], shown, { validateStream: false }) : shown;
}

/** Indents the lines of a text. The terminal wraps them. */
export function paragraph(look: Look, given: string, indent = 0, format: Format = []): string[] {
  return printable(given)
    .split('\n')
    .map((line) => `${' '.repeat(indent)}${paint(look, format, line)}`.trimEnd());
}

/** A label, with a text next to the label column. */
export function field(look: Look, label: string, text: string, indent = 4, format: Format = []): string[] {
  return labelled(look, label, indent, paragraph(look, text, indent + labelColumns, format));
}

/** A field with differing pieces underlined: by the terminal if colors are enabled, otherwise by carets. */
export function markedField(look: Look, label: string, given: Piece[], indent: number, format: Format): string[] {
  const pieces = given.map((piece) => ({ ...piece, text: printable(piece.text) }));
  const margin = ' '.repeat(indent + labelColumns);
  const shown = pieces.map(({ text, differs }) => (differs ? paint(look, [...format, 'underline'], text) : text));
  const carets = pieces.map(({ text, differs }) => (differs ? '^' : ' ').repeat(width(text))).join('');
  const line = `${margin}${shown.join('')}`;
  const isMarked = look.colour || carets.trim() === '';
  return labelled(look, label, indent, isMarked ? [line] : [line, `${margin}${carets.trimEnd()}`]);
}

function labelled(look: Look, label: string, indent: number, lines: string[]): string[] {
  const [first = '', ...rest] = lines;
  const column = `${' '.repeat(indent)}${paint(look, ['dim'], label)}`;
  const gap = ' '.repeat(Math.max(1, labelColumns - width(label)));
  return [`${column}${gap}${first.slice(indent + labelColumns)}`.trimEnd(), ...rest];
}

/** Replaces control characters, because texts of a report are untrusted. */
function printable(text: string): string {
  return plainLines(text, Number.POSITIVE_INFINITY);
}
