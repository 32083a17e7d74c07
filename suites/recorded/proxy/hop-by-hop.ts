/** Headers of one connection. The proxy has two connections, so it passes none of these on. */
const ofConnection = ['connection', 'keep-alive', 'proxy-connection', 'host', 'upgrade', 'http2-settings'];

/** The headers that the proxy passes on: names and values in turn, in the order and the case in which they came. */
export function passedOn(rawHeaders: readonly string[]): string[] {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  // Node refuses to write `Trailer` for a body that is not chunked, because such a body has no trailers.
  const left = names.includes('transfer-encoding') ? ofConnection : [...ofConnection, 'trailer'];
  return rawHeaders.filter((_, at) => !left.includes(names[at >> 1] ?? ''));
}

/** Names in lower case, with their values. */
export function headersOf(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']);
  }
  return headers;
}
