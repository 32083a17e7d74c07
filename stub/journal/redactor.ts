import { type Redact, Redactor } from '../../suites/history/redactor.ts';

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

/** Redacts the parts of a message. */
export interface MessageRedactor {
  readonly text: Redact;
  readonly path: Redact;
  readonly headers: (headers: Readonly<Record<string, string | readonly string[] | undefined>>) => [string, string][];
  /** Redacts a request body, which may be JSON or any other text. */
  readonly body: Redact;
}

/** Words in the names of headers, parameters and members that carry secrets. */
const purpose = '(?:key|token|secret|password|credential|auth(?!or))';
const secretHeader = new RegExp(`^cookie$|${purpose}`, 'i');
const secretParameter = new RegExp(`([?&][^=&]*${purpose}[^=&]*=)([^&]+)`, 'gi');
const secretMember = new RegExp(`("[^"\\\\]*${purpose}[^"\\\\]*"\\s*:\\s*")((?:[^"\\\\]|\\\\.)+)`, 'gi');

/** Also hides unlisted secrets, identified by their place: a key of another server, a cookie or a password. */
export function messageRedactor(text: Redact): MessageRedactor {
  const hidden: Redact = (value) => {
    const shown = text(value);
    return shown === value && value !== '' ? hide(value) : shown;
  };
  const hideValue = (_all: string, name: string, value: string): string => name + hidden(value);
  return {
    text,
    path: (path) => text(path.replace(secretParameter, hideValue)),
    headers: (headers) =>
      Object.entries(headers).flatMap(([name, values]) =>
        [values ?? []].flat().map((value): [string, string] => {
          if (name === 'authorization') return [name, credential(value, hidden)];
          return [text(name), secretHeader.test(name) ? hidden(value) : text(value)];
        }),
      ),
    body: (body) => text(body.replace(secretMember, hideValue)),
  };
}

/** Replaces an unlisted secret. */
export function hide(value: string): string {
  return `<hidden, ${value.length} characters>`;
}

/** Keeps the scheme, because it shows what a client did wrong. */
function credential(value: string, hidden: Redact): string {
  const [scheme = '', ...rest] = value.split(/ +/);
  return rest.length === 0 ? hidden(value) : `${scheme} ${hidden(rest.join(' '))}`;
}
