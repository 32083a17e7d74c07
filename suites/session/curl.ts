import type { Credential } from '../exchange.ts';
import type { HeaderList } from '../result.ts';

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The longest body that a command line shows in full. */
const mostOfBody = 2000;

/**
 * A command line that sends the same request. Keys stand in it as environment variables, never as themselves.
 * `headers` are those beside `authorization` and the ones that curl sets by itself.
 */
export function curlLine(
  request: { method: string; url: string; headers: HeaderList; body: string | null },
  credential: Credential,
): string {
  const parts = [`curl -sS -i -X ${request.method} ${quoted(request.url)}`];
  if (credential.curl !== undefined) parts.push(`-H "authorization: ${credential.curl}"`);
  for (const [name, value] of request.headers) {
    if (name !== 'authorization') parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (request.body !== null) {
    // Left alone, curl says that a body is a form.
    if (!request.headers.some(([name]) => name === 'content-type')) parts.push("-H 'content-type:'");
    parts.push(
      request.body.length <= mostOfBody
        ? `--data-raw ${quoted(request.body)}`
        : `--data-binary @body.json  # ${request.body.length} characters, beginning ${quoted(request.body.slice(0, 40))}`,
    );
  }
  return parts.join(' ');
}
