import type { Headers } from '../../fixtures/journal.ts';
import type { StubRequest } from '../server/handle.ts';
import { createSecretFinder, type SecretFinder } from './secrets.ts';

/** Takes secrets out of texts and headers. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly path: (path: string) => string;
  readonly headers: (headers: StubRequest['headers']) => Headers;
  /** A body that a client sent: JSON, or whatever it is. */
  readonly body: (text: string) => string;
}

/** Words in the names of what carries a secret by its purpose, whether the stub knows it or not. */
const purpose = '(?:key|token|secret|password|credential|auth(?!or))';
const secretHeader = new RegExp(`^cookie$|${purpose}`, 'i');
const secretParameter = new RegExp(purpose, 'i');
const secretMember = new RegExp(`("[^"\\\\]*${purpose}[^"\\\\]*"\\s*:\\s*")((?:[^"\\\\]|\\\\.)*)`, 'gi');
/** A key of a stub, of whichever world. */
const anyKey = /cwk_[\w-]{43}/g;

type Keys = ReadonlyMap<string, { readonly role: string }>;

/**
 * A redactor for the keys of a world, which stay the same, by secret with the name of the role. A key stands as `<key of ROLE>`, wherever it was sent, and says so where it
 * was sent in part or in other digits; what was sent as a credential and is no key of this world may be one of somewhere else and is hidden too.
 */
export function createRedactor(keys: () => Keys): Redactor {
  // It is large and soon made, so that worlds nobody looks at do not hold on to theirs.
  let known: WeakRef<SecretFinder> | undefined;
  const finder = (): SecretFinder => {
    const there = known?.deref() ?? createSecretFinder([...keys()].map(([secret, { role }]) => [secret, role]));
    known ??= new WeakRef(there);
    if (known.deref() !== there) known = new WeakRef(there);
    return there;
  };
  const text = (given: string): string =>
    finder()
      .replace(given, (role, way) => (way === 'whole' ? `<key of ${role}>` : `<key of ${role}, ${way}>`))
      .replace(anyKey, hide);
  const hidden = (value: string): string => {
    const shown = text(value);
    return shown === value && value !== '' ? hide(value) : shown;
  };
  return {
    text,
    path(path) {
      // Letters may stand as %XX in an address, and mean the same.
      const plain = path.replace(/%[2-7][0-9a-f]/gi, letter);
      return parameters(text(plain === path || text(plain) === plain ? path : plain), hidden);
    },
    headers: (headers) =>
      Object.entries(headers).flatMap(([name, values]) => {
        const list = typeof values === 'string' ? [values] : (values ?? []);
        return list.map((value): [string, string] => {
          if (name === 'authorization') return [name, credential(value, hidden)];
          return [name, secretHeader.test(name) ? hidden(value) : text(value)];
        });
      }),
    body: (given) =>
      text(given).replace(secretMember, (_whole, name: string, value: string) =>
        value.startsWith(mark) ? name + value : name + hidden(value),
      ),
  };
}

const mark = '<key of';

/** What an escape in an address stands for, if that is a letter that keys are made of. */
function letter(code: string): string {
  const meant = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w-]/.test(meant) ? meant : code;
}

function hide(value: string): string {
  return `<hidden, ${value.length} characters>`;
}

/** The scheme may stay: it says what a client got wrong. */
function credential(value: string, hidden: (value: string) => string): string {
  const [scheme = '', ...rest] = value.split(/ +/);
  return rest.length === 0 ? hidden(value) : `${scheme} ${hidden(rest.join(' '))}`;
}

function parameters(path: string, hidden: (value: string) => string): string {
  const [before, query] = path.split('?', 2);
  if (query === undefined) return path;
  const shown = query.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return secretParameter.test(name) && !value.join('=').startsWith(mark)
      ? `${name}=${hidden(value.join('='))}`
      : pair;
  });
  return `${before}?${shown.join('&')}`;
}
