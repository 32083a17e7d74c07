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
  // The redactor is large but quick to create, so a weak reference holds it.
  let known: WeakRef<Redact> | undefined;
  const redact = (): Redact => {
    const there = known?.deref() ?? redactor(new Map([...keys()].map(([secret, { role }]) => [secret, role])));
    if (known?.deref() !== there) known = new WeakRef(there);
    return there;
  };
  return messageRedactor((text) => redact()(text).replace(anyKey, hide));
}
