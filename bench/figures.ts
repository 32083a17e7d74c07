/** Results of a benchmark. */
export interface Table {
  title: string;
  /** What was measured, and the target. */
  about: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Markdown table with a heading. */
export function tableText({ title, about, header, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [`## ${title}`, '', about, '', line(header), line(header.map(() => '---')), ...rows.map(line), ''].join('\n');
}

/** Number with thousands separators. */
export function grouped(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Median. For an even number of values, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower = Number.NaN, upper = lower] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return (lower + upper) / 2;
}

/** Median, then minimum and maximum in parentheses: `1,228 (1,174 to 1,362)`. */
export function spread(values: readonly number[], digits = 0): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
  return `${grouped(middle, digits)} (${grouped(least, digits)} to ${grouped(most, digits)})`;
}
