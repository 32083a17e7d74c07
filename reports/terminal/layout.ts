import { type InspectColor, stripVTControlCharacters, styleText } from 'node:util';
import type { Piece } from '../difference.ts';
import { plainLines } from '../plain.ts';

/** Output options: whether to use colors. */
export interface Look {
  color: boolean;
}

export type Format = readonly InspectColor[];

const labelColumns = 10;

/** Text in a format. Replaces control characters, because texts of a report are untrusted. */
export function paint(format: Format, text: string): string {
  const shown = plainLines(text, Number.POSITIVE_INFINITY);
  return shown === '' ? '' : styleText([...format], shown, { validateStream: false });
}

/** A painted text with its formats only if colors are enabled. */
export function inColors({ color }: Look, text: string): string {
  return color ? text : stripVTControlCharacters(text);
}

/** Lines below a title. Nothing without lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [paint(['bold'], title), ...lines, ''];
}

/** Indents the lines of a text. The terminal wraps them. */
export function paragraph(given: string, indent = 0, format: Format = []): string[] {
  return given.split('\n').map((line) => `${' '.repeat(indent)}${paint(format, line.trimEnd())}`.trimEnd());
}

function column(label: string, indent: number): string {
  return `${' '.repeat(indent)}${paint(['dim'], label)}${' '.repeat(Math.max(1, labelColumns - label.length))}`;
}

/** A label, with the lines of a text next to the label column. */
export function field(label: string, text: string, indent = 4, format: Format = []): string[] {
  const lines = text.split('\n').map((line) => paint(format, line.trimEnd()));
  return lines.map((line, index) => `${column(index === 0 ? label : '', indent)}${line}`.trimEnd());
}

/** A field with differing pieces underlined. */
export function markedField(label: string, pieces: readonly Piece[], format: Format): string[] {
  const shown = pieces.map(({ text, differs }) => paint(differs ? [...format, 'underline'] : format, text));
  return [`${column(label, 4)}${shown.join('')}`];
}

const widest = 120;
const usual = 100;

/** Options for a stream. Uses colors only on a terminal that supports them, and never with `NO_COLOR`. */
export function lookOf(
  screen: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Look & { isTTY: boolean; width: number } {
  const isTTY = screen.isTTY === true && env.TERM !== 'dumb';
  return {
    isTTY,
    width: Math.min((isTTY && screen.columns) || usual, widest),
    color: isTTY && (env.NO_COLOR ?? '') === '',
  };
}
