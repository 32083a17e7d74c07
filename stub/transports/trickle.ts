const mostPieces = 10;

/** Passes a body to `write` in chunks, evenly over a time, then calls `end`. Returns a function that stops it. */
export function trickle(body: string, overMs: number, write: (piece: Uint8Array) => void, end: () => void): () => void {
  const bytes = Buffer.from(body);
  const count = Math.max(1, Math.min(mostPieces, bytes.length));
  const length = Math.ceil(bytes.length / count);
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length) write(bytes.subarray(at, at + length));
    at += length;
    if (at < bytes.length) return;
    clearInterval(timer);
    end();
  }, overMs / count);
  return () => clearInterval(timer);
}
