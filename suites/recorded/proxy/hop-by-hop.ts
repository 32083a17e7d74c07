/** Headers of a single connection. The proxy has two connections, so it does not forward these headers. */
const ofConnection = ['connection', 'keep-alive', 'proxy-connection', 'host', 'upgrade', 'http2-settings'];

/** Returns the forwarded headers: alternating names and values, in their original order and case. */
export function passedOn(rawHeaders: readonly string[]): string[] {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  // Node rejects `Trailer` for a body that is not chunked, because such a body has no trailers.
  const left = names.includes('transfer-encoding') ? ofConnection : [...ofConnection, 'trailer'];
  return rawHeaders.filter((_, at) => !left.includes(names[at >> 1] ?? ''));
}

/** Returns headers as pairs, with names in lower case. */
export function headersOf(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  }
  return headers;
}
