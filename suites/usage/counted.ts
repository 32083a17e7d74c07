/** `1 image`, `2 images`. Irregular nouns need `plural`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
