import { hide, type MessageRedactor, messageRedactor } from '../../suites/history/redaction/carriers.ts';
import { type Redact, redactor } from '../../suites/history/redaction/redactor.ts';

/** A key of any sandbox. */
const anyKey = /cwk_[\w-]{43}/g;

type Keys = ReadonlyMap<string, { readonly role: string }>;

/**
 * Creates a redactor for the keys of a sandbox, given by secret. The keys must not change. Also hides keys of other
 * sandboxes.
 */
export function createRedactor(keys: () => Keys): MessageRedactor {
  let known: Redact | undefined;
  return messageRedactor((text) => {
    known ??= redactor(new Map([...keys()].map(([secret, { role }]) => [secret, role])));
    return known(text).replace(anyKey, hide);
  });
}
