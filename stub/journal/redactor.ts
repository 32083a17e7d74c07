import type { Headers } from '../../fixtures/journal.ts';
import type { StubRequest } from '../exchange.ts';

/** Takes secrets out of texts and headers. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly path: (path: string) => string;
  readonly headers: (headers: StubRequest['headers']) => Headers;
}

/** Headers that carry a secret by their purpose, whether the stub knows it or not. */
const secretHeaders = /^(proxy-authorization|cookie|.*(api-?key|token|secret).*)$/;
const secretParameter = /^(?:.*(?:key|token|secret|password).*)$/i;

/**
 * A redactor for the keys of a world, by secret with the name of the role. A key stands as `<key of ROLE>`, wherever it was sent; what was
 * sent as a credential and is no key of this world may be one of somewhere else and is hidden too.
 */
export function createRedactor(keys: () => ReadonlyMap<string, { readonly role: string }>): Redactor {
  const text = (given: string): string => {
    let rest = given;
    for (const [secret, { role }] of keys()) {
      if (rest.includes(secret)) rest = rest.replaceAll(secret, `<key of ${role}>`);
    }
    return rest;
  };
  const hidden = (value: string): string => {
    const shown = text(value);
    return shown === value && value !== '' ? `<hidden, ${value.length} characters>` : shown;
  };
  return {
    text,
    path: (path) => parameters(text(path), hidden),
    headers: (headers) =>
      Object.entries(headers).flatMap(([name, values]) => {
        const list = typeof values === 'string' ? [values] : (values ?? []);
        return list.map((value): [string, string] => {
          if (name === 'authorization') return [name, credential(value, hidden)];
          return [name, secretHeaders.test(name) ? hidden(value) : text(value)];
        });
      }),
  };
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
    return secretParameter.test(name) && !value.join('=').startsWith('<key of')
      ? `${name}=${hidden(value.join('='))}`
      : pair;
  });
  return `${before}?${shown.join('&')}`;
}
