import { responseHeaders } from '../../fixtures/contract/headers.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import type { HeaderList } from '../result.ts';

/** Headers that the kit reads, so that no number of other headers hides them. */
const read: ReadonlySet<string> = new Set([
  ...Object.values(responseHeaders),
  ...['content-type', 'content-encoding', 'content-length', 'location', 'etag', 'www-authenticate'],
]);

/** Most headers of one response that the kit keeps: of each name that it reads, and of all other names together. */
const most = { ofName: 8, others: 64, characters: 4096 };

/**
 * Returns the headers to keep. Converts names to lower case, except names with a secret: Base64 is unreadable in
 * another case. White space around a value is not part of it (RFC 9110, section 5.5). The HTTP parser removes only
 * leading white space.
 */
export function keptHeaders(pairs: readonly string[], redact: Redact): HeaderList {
  const kept: HeaderList[number][] = [];
  const times = new Map<string, number>();
  let others = 0;
  let characters = 0;
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    const [given = '', value = ''] = pairs.slice(index, index + 2);
    const name = given.toLowerCase();
    if (read.has(name)) {
      times.set(name, (times.get(name) ?? 0) + 1);
      if ((times.get(name) ?? 0) > most.ofName) continue;
    } else {
      others += 1;
      characters += name.length + value.length;
      if (others > most.others || characters > most.characters) continue;
    }
    const shown = redact(given);
    kept.push([shown === given ? name : shown, redact(value.replace(/^[ \t]+|[ \t]+$/g, ''))]);
  }
  return kept;
}
