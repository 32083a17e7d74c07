import { isToolName } from '../../fixtures/contract/tools.ts';
import type { Request } from '../history/exchange.ts';
import { jsonExtent } from '../json.ts';
import { brokenFields } from './violations.ts';

/** An ordinary request has fewer levels, and fewer characters. */
const leastOdd = { levels: 50, characters: 10_000 };

/** Returns what may make a server fail for a request, such as `a long text`; undefined for an ordinary request. */
export function oddityOf({ tool, args, body }: Pick<Request, 'tool' | 'args' | 'body'>): string | undefined {
  if (tool === null || body === null) return undefined;
  if (!isToolName(tool)) return 'an unknown name';
  if (jsonExtent(body).levels >= leastOdd.levels) return 'a deeply nested body';
  // JSON writes half a pair as an escape sequence: a parser accepts it, and an encoder may not.
  if (/\\ud[89a-f]/.test(JSON.stringify(args))) return 'half a surrogate pair';
  if (body.length >= leastOdd.characters) return 'a long text';
  if (args === null) return 'a body that is not a JSON object';
  return brokenFields({ request: { tool, args } }).length > 0 ? 'invalid arguments' : undefined;
}
