import { hide, type MessageRedactor, messageRedactor } from '../../suites/history/redaction/carriers.ts';
import { type Redact, Redactor } from '../../suites/history/redaction/redactor.ts';

/** A key of any sandbox, or the beginning of one. */
const anyKey = /cwk_[\w-]{8,43}/g;

type Keys = ReadonlyMap<string, { readonly role: string }>;

/**
 * Creates a redactor for the keys of a sandbox, given by secret. The keys must not change. Also hides keys of other
 * sandboxes, and keys that were cut.
 */
export function createRedactor(keys: () => Keys): MessageRedactor {
  let known: Redact | undefined;
  return messageRedactor((text) => {
    known ??= new Redactor(new Map([...keys()].map(([secret, { role }]) => [secret, role]))).redact;
    return known(text).replace(anyKey, (found) => {
      const [, owner] = [...keys()].find(([secret]) => secret.startsWith(found)) ?? [];
      return owner === undefined ? hide(found) : `<${owner.role}, characters 1 to ${found.length}>`;
    });
  });
}
