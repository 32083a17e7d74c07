/**
 * Takes the oldest from a list that is too long, one by one: mostly it is one, and `splice` makes a list of it. Gives
 * how many.
 */
export function trimList(list: unknown[], most: number, oldest: 'first' | 'last'): number {
  const over = Math.max(0, list.length - most);
  for (let left = over; left > 0; left -= 1) {
    if (oldest === 'first') list.shift();
    else list.pop();
  }
  return over;
}

/** Remembers what a list holds; the function that is given goes back to it, as often as it is called. */
export function saveList<T>(list: T[]): () => void {
  const copy = [...list];
  return () => {
    list.splice(0, list.length, ...copy);
  };
}
