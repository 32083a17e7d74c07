import type { Headers } from '../exchange/exchange.ts';
import { type Redact, Redactor } from '../exchange/redactor.ts';
import { publicText } from '../target/secrets.ts';
import { isHarmless, isLastingSecretName, schemedCredentials, secretMembers, secretParameters } from './harmless.ts';
import type { Recorded } from './recorded.ts';

/** Maximum number of remembered secrets. Their encodings must fit into memory. */
const mostSecrets = 250;

/**
 * Maximum number of values that only look like secrets and are replaced everywhere. Further ones are hidden in place.
 */
const mostLikely = 50;

/** Maximum number of remembered headers, and their maximum length. */
const seen = { headers: 1000, length: 1000 };

/** Minimum lengths of secrets. Shorter texts are ordinary words. */
const shortest = { password: 4, other: 8 };

/** Words and characters of placeholders that stand for a secret. */
const placeholderWords = /redacted|hidden|removed|masked|filtered|secret|token|key|x{3,}|[*.x_<>[\]\s-]/gi;
const isPlaceholder = (text: string) =>
  /^<(?:hidden|key|secret)\b[^<>]*>$/.test(text) || text.replace(placeholderWords, '') === '';

/**
 * Secrets of recorded traffic. They stay in memory, so that all written text can hide them. If there are too many,
 * `isFull` becomes true, and text that may contain a secret is not written.
 */
export class LearnedSecrets {
  readonly #known: ReadonlyMap<string, string>;
  readonly #names = new Map<string, string>();
  /** Headers that were examined. Most clients repeat theirs. */
  readonly #seen = new Set<string>();
  #likely = 0;
  isFull = false;
  #redact: { readonly all: Redactor; readonly keys: Redactor } | undefined;

  /** @param known configured secrets, with the names of their marks */
  constructor(known: ReadonlyMap<string, string>) {
    this.#known = known;
  }

  add(secret: string, name = 'secret', least = shortest.other): void {
    if (secret.length < least || isPlaceholder(secret) || this.#known.has(secret)) return;
    const before = this.#names.get(secret);
    if (before !== undefined && (before === name || name === 'secret')) return;
    if (secret.length < 24 && publicText.includes(secret.toLowerCase())) return;
    if (before === undefined && this.#names.size >= mostSecrets) {
      this.isFull = true;
      return;
    }
    this.#names.set(secret, name);
    // A redactor cannot change the name of a secret.
    if (before !== undefined) this.#redact = undefined;
    this.#redact?.all.learn(secret, name);
    if (name !== 'secret') this.#redact?.keys.learn(secret, name);
  }

  addFrom({ url, requestHeaders = [], requestBody }: Recorded): void {
    for (const [name, value] of requestHeaders) {
      const header = `${name}: ${value}`;
      if (this.#seen.has(header)) continue;
      this.#addHeader(name, value);
      if (this.#seen.size >= seen.headers) this.#seen.clear();
      if (header.length < seen.length) this.#seen.add(header);
    }
    const [, userinfo] = /^[a-z][\w+.-]*:\/\/([^/?#]*)@/i.exec(url) ?? [];
    for (const part of userinfo?.split(':') ?? []) this.#addValue('password', part);
    for (const [, name = '', value = name] of url.matchAll(/[?&]([^&=#]*)(?:=([^&#]*))?/g))
      this.#addLikely(name, value);
    for (const text of [url, requestBody ?? '']) {
      for (const [, , name = '', value = ''] of text.matchAll(secretParameters)) this.#addValue(name, value);
    }
    for (const [, , name = '', value = ''] of (requestBody ?? '').matchAll(secretMembers)) {
      this.#addValue(name, value);
    }
    for (const [name, value] of partsOf(requestBody ?? '', requestHeaders)) this.#addValue(name, value);
  }

  /** Returns redactors for all secrets, and for the keys that identify senders. */
  redact(): { readonly all: Redact; readonly keys: Redact } {
    this.#redact ??= {
      all: new Redactor(new Map([...this.#names, ...this.#known])),
      keys: new Redactor(new Map([...[...this.#names].filter(([, name]) => name !== 'secret'), ...this.#known])),
    };
    return { all: this.#redact.all.redact, keys: this.#redact.keys.redact };
  }

  #addHeader(name: string, value: string): void {
    if (name === 'cookie') {
      for (const pair of value.split(/; */)) this.#addValue(...halves(pair));
      return;
    }
    if (name === 'authorization' || name === 'proxy-authorization') this.#addCredential(value);
    else if (!isHarmless(name, value)) this.#addValue(name, value);
    if (name.startsWith('x-') && !isHarmless(name, value)) this.#addLikely(name, value);
    for (const [, , credential = ''] of value.matchAll(schemedCredentials)) this.add(credential);
  }

  #addCredential(value: string): void {
    const [, scheme = '', credential = ''] = /^\s*(?:([\w-]+)[\s:]+)?(.*?)\s*$/s.exec(value) ?? [];
    // Parameters of a signature change with each request.
    if (/^(digest|aws4|oauth|signature|hawk)/i.test(scheme)) return;
    for (const part of credential.split(/[\s,()]+/)) this.add(part);
    if (scheme.toLowerCase() !== 'basic') return;
    const [user, password] = halves(Buffer.from(credential, 'base64').toString(), ':');
    this.add(password, 'secret', shortest.password);
    if (password === '') this.add(user);
  }

  #addValue(name: string, value: string): void {
    if (!isLastingSecretName(name) || value.includes('://')) return;
    const isPassword = /pass|pwd|secret/i.test(name);
    // Words such as `x-auth: service` are not secrets.
    if (!isPassword && /^[a-z_ -]*$/i.test(value) && value.length < 16) return;
    const least = isPassword ? shortest.password : shortest.other;
    this.add(value, 'secret', least);
    const plain = decoded(value);
    if (plain !== value) this.add(plain, 'secret', least);
  }

  /** Remembers a value that looks like a key but has no secret name. */
  #addLikely(name: string, value: string): void {
    const isOfRequest = /request|trace|span|correlation|forward|time|date|version|parent|(^|-)id$/i.test(name);
    if (isOfRequest || !/^(?=.*\d)(?=.*[a-z])[\w.~+=-]{16,}$/i.test(value) || this.#likely >= mostLikely) return;
    if (this.#names.has(value) || this.#names.size >= mostSecrets) return;
    this.#likely += 1;
    this.add(value);
  }
}

function partsOf(body: string, headers: Headers): (readonly [string, string])[] {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  if (!/^multipart\//i.test(type)) return [];
  return [...body.matchAll(/name="?([^"\r\n;]+)"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)/gi)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
}

function halves(text: string, sign = '='): [string, string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
