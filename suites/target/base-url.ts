import { UsageError } from '../usage/usage-error.ts';

/**
 * A base URL in the form in which paths can be appended to it. `field` names where it was given, for messages.
 * Throws a UsageError for what is no http(s) URL, or has credentials, a query or a fragment.
 */
export function parseBaseUrl(given: string, field: string): string {
  const url = URL.parse(given);
  if (url === null) throw new UsageError(`${field}: expected an http or https address, got ${shown(given)}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${field}: expected an http or https address, got one that begins with '${url.protocol}'`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${field}: expected an address without a user name and a password; keys belong in keys`);
  }
  if (/[?#]/.test(given)) {
    throw new UsageError(`${field}: expected an address without a query and without a fragment ('?', '#')`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** An address of this machine only: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Throws a UsageError where a secret would travel unencrypted to another machine. */
export function assertSafeForSecrets(url: string, field: string, insecure: boolean): void {
  if (insecure || url.startsWith('https:') || isLoopback(url)) return;
  throw new UsageError(
    `${field}: expected https, got ${shown(new URL(url).origin)}; keys go over plain http to this machine only ` +
      '(127.0.0.1, ::1, localhost). Pass --insecure to send them anyway',
  );
}

/** What was given, cut to a line; what looks like an address with a password in it stays hidden. */
function shown(given: string): string {
  if (given.includes('@')) return 'a text with @, which may hold a password';
  return `'${given.length > 80 ? `${given.slice(0, 80)}…` : given}'`;
}
