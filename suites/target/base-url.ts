import { UsageError } from '../usage/usage-error.ts';

/**
 * Normalizes a base URL, so that paths can be appended to it. `field` names its source in messages. Throws a UsageError
 * unless it is an http or https URL without credentials, query and fragment.
 */
export function parseBaseUrl(given: string, field: string): string {
  const url = URL.parse(given);
  if (url === null) throw new UsageError(`${field}: expected an http or https URL, got ${shown(given)}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${field}: expected an http or https URL, got a URL that starts with '${url.protocol}'`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${field}: expected a URL without a user name and a password; to pass a key, use keys`);
  }
  if (/[?#]/.test(given)) {
    throw new UsageError(`${field}: expected a URL without a query and without a fragment ('?', '#')`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Returns whether a URL leads to this machine: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Throws a UsageError if a secret would travel unencrypted to another machine. */
export function assertSafeForSecrets(url: string, field: string, insecure: boolean): void {
  if (insecure || url.startsWith('https:') || isLoopback(url)) return;
  throw new UsageError(
    `${field}: expected https, got ${shown(new URL(url).origin)}; ` +
      'the kit sends keys over plain HTTP only to this machine (127.0.0.1, ::1, localhost), or with --insecure',
  );
}

/** Shortens a text for a message. A text with `@` is hidden, because it may be a URL with a password. */
function shown(given: string): string {
  if (given.includes('@')) return 'a value with @, which may contain a password';
  return `'${given.length > 80 ? `${given.slice(0, 80)}…` : given}'`;
}
