/** Figures of one kind, as rows under a header. */
export interface Table {
  title: string;
  /** What was measured and how, in a sentence or two. */
  about: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A table in Markdown, with a heading. */
export function tableText({ title, about, header, rows }: Table): string {
  const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [`## ${title}`, '', about, '', line(header), rule, ...rows.map(line), ''].join('\n');
}

/** The middle value; the mean of the middle two for an even number of them. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Median, and in brackets the best and the worst. */
export function spread(values: readonly number[], digits = 0): string {
  const shown = (value: number) => value.toFixed(digits);
  return `${shown(median(values))} (${shown(Math.min(...values))} to ${shown(Math.max(...values))})`;
}
