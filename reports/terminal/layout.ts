import { type InspectColor, styleText } from 'node:util';
import width from 'fast-string-width';
import type { Piece } from '../difference.ts';
import { plainLines } from '../plain.ts';
import { wrapped } from './wrap.ts';

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

/** Wraps and indents a text. Aligns continuation lines with the text after a sign, for example `- `. */
export function paragraph(look: Look, given: string, indent = 0, format: Format = []): string[] {
  const [, sign = '', text = ''] = /^([^\p{L}\p{N}\s] )?(.*)$/su.exec(printable(given)) ?? [];
  return wrapped(text, look.width - indent - sign.length).map(({ start, end }, index) => {
    const margin = ' '.repeat(index === 0 ? indent : indent + sign.length);
    return `${margin}${paint(look, format, `${index === 0 ? sign : ''}${text.slice(start, end)}`)}`.trimEnd();
  });
}

/** Wraps lines that are too wide for a terminal, with a hanging indent. Changes nothing for other streams. */
export function fitted(text: string, { width: columns, isTTY }: Pick<Look, 'width'> & { isTTY: boolean }): string {
  if (!isTTY) return text;
  const fit = (line: string): string => {
    if (width(line) <= columns) return line;
    const indent = ' '.repeat(line.search(/\S/));
    const words = line.trimStart();
    const parts = wrapped(words, columns - indent.length - 2).map(({ start, end }) => words.slice(start, end));
    return indent + parts.join(`\n${indent}  `);
  };
  return text.split('\n').map(fit).join('\n');
}

/** A label, with a text next to the label column. */
export function field(look: Look, label: string, text: string, indent = 4, format: Format = []): string[] {
  return labelled(look, label, indent, paragraph(look, text, indent + labelColumns, format));
}

/** A field with differing pieces underlined: by the terminal if colors are enabled, otherwise by carets. */
export function markedField(look: Look, label: string, given: Piece[], indent: number, format: Format): string[] {
  const pieces = given.map((piece) => ({ ...piece, text: printable(piece.text) }));
  const text = pieces.map((piece) => piece.text).join('');
  const margin = ' '.repeat(indent + labelColumns);
  const lines = wrapped(text, look.width - margin.length).flatMap(({ start, end }) => {
    const parts = cut(pieces, start, end);
    const shown = parts.map((part) => (part.differs ? paint(look, [...format, 'underline'], part.text) : part.text));
    const carets = parts.map((part) => (part.differs ? '^' : ' ').repeat(width(part.text))).join('');
    const line = `${margin}${shown.join('')}`;
    return look.colour || carets.trim() === '' ? [line] : [line, `${margin}${carets.trimEnd()}`];
  });
  return labelled(look, label, indent, lines);
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

/** The pieces between two offsets of their joined text. */
function cut(pieces: Piece[], start: number, end: number): Piece[] {
  let offset = 0;
  return pieces.flatMap((piece) => {
    const from = Math.max(0, start - offset);
    const to = Math.min(piece.text.length, end - offset);
    offset += piece.text.length;
    return from < to ? [{ text: piece.text.slice(from, to), differs: piece.differs }] : [];
  });
}
