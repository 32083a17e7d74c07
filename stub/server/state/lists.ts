/**
 * Removes the oldest items until at most `most` are left. Returns how many it removed. Usually one item is removed, and
 * `splice` would allocate an array for it.
 */
export function trimList(list: unknown[], most: number, oldest: 'first' | 'last'): number {
  const over = Math.max(0, list.length - most);
  for (let left = over; left > 0; left -= 1) {
    if (oldest === 'first') list.shift();
    else list.pop();
  }
  return over;
}
