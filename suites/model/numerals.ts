const units = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen '
  .concat('seventeen eighteen nineteen')
  .split(' ');
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** Spells out a whole number below 100: `thirty`, `forty-five`. */
export function inWords(count: number): string {
  const [ten, unit] = [tens[Math.floor(count / 10)] ?? '', units[count % 10] ?? ''];
  if (count < units.length) return units[count] ?? '';
  return count % 10 === 0 ? ten : `${ten}-${unit}`;
}
