/** Results of a benchmark. */
export interface Table {
  title: string;
  /** Description of the measurement, in one or two sentences. */
  about: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Markdown table with a heading. */
export function tableText({ title, about, header, rows }: Table): string {
  const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [`## ${title}`, '', wrapped(about), '', line(header), rule, ...rows.map(line), ''].join('\n');
}

/** Breaks a text into lines of at most 120 characters, but not within code. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= 120) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

/** Number with thousands separators. */
export function grouped(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Median. For an even number of values, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Median, then minimum and maximum in parentheses: `1,228 (1,174 to 1,362)`. */
export function spread(values: readonly number[], digits = 0): string {
  const shown = (value: number) => grouped(value, digits);
  return `${shown(median(values))} (${shown(Math.min(...values))} to ${shown(Math.max(...values))})`;
}
