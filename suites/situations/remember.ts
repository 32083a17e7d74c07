/** Sets the value of a name. Evicts the names that were set longest ago, so that at most `most` remain. */
export function remember<K, V>(all: Map<K, V>, name: K, value: V, most: number): void {
  all.delete(name);
  all.set(name, value);
  for (const oldest of all.keys()) {
    if (all.size <= most) return;
    all.delete(oldest);
  }
}
