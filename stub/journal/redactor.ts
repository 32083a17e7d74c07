import { hide, type MessageRedactor, messageRedactor } from '../../suites/history/redaction/carriers.ts';
import { type Redact, redactor } from '../../suites/history/redaction/redactor.ts';

/** A key of a stub, of whichever world. */
const anyKey = /cwk_[\w-]{43}/g;

type Keys = ReadonlyMap<string, { readonly role: string }>;

/** A redactor for the keys of a world, which stay the same, given by secret; a key of another world is hidden too. */
export function createRedactor(keys: () => Keys): MessageRedactor {
  // It is large and soon made, so that worlds nobody looks at do not hold on to theirs.
  let known: WeakRef<Redact> | undefined;
  const redact = (): Redact => {
    const there = known?.deref() ?? redactor(new Map([...keys()].map(([secret, { role }]) => [secret, role])));
    if (known?.deref() !== there) known = new WeakRef(there);
    return there;
  };
  return messageRedactor((text) => redact()(text).replace(anyKey, hide));
}
