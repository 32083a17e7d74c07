import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Role } from '../../fixtures/roles.ts';
import type { Headers, Sender } from '../exchange/exchange.ts';
import type { Redact } from '../exchange/redactor.ts';
import { isRecord, parsed } from '../json.ts';
import { secretsOf } from '../target/secrets.ts';
import type { Target } from '../target/target.ts';
import { isHarmless, plainAddress, schemedCredentials, secretMembers, secretParameters } from './harmless.ts';
import { LearnedSecrets } from './learned-secrets.ts';
import type { Recorded } from './recorded.ts';

/** Maximum number of distinguished keys. The data about each key must fit into memory. */
const mostKeys = 200;

/** Matches bearer tokens that are long enough for a key. Shorter values are placeholders. */
const key = /^bearer +([^\s<>[\]{}*,"']{12,})$/i;
const masked = /\*{2}|\.{3}/;
const maskingWords = /redacted?|hidden|secret|removed|masked|x{4,}|[^a-z\d]/gi;

const unknown: Sender = { label: 'a key that the recording does not show', kind: 'other', role: null };
const absent: Sender = { label: 'no credential', kind: 'absent', role: null };

/**
 * Distinguishes the keys of recorded traffic by hashes, salted per run. The keys themselves stay in memory, so that
 * reports can hide them.
 */
export class Senders {
  readonly #salt = randomBytes(32);
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #keys = new Map<string, Sender>();
  readonly #learned: LearnedSecrets;
  readonly #hiding = new Hiding();
  readonly #unseenIsOne: boolean;
  #sawKey = false;

  /** @param unseenIsOne true if all requests without a visible key used the same key */
  constructor(target: Target | undefined, unseenIsOne = false) {
    this.#roles = new Map(Object.values(target?.keys ?? {}).map(({ role, key }) => [key, role]));
    this.#learned = new LearnedSecrets(target === undefined ? new Map() : secretsOf(target));
    this.#unseenIsOne = unseenIsOne;
  }

  /** True if there are too many secrets to replace everywhere. Headers, bodies and texts must not be written then. */
  get isFull(): boolean {
    return this.#learned.isFull;
  }

  /** Returns the sender of a request with these headers. If the recording lacks all others, it also lacks the key. */
  of(headers: Headers | undefined): Sender {
    const authorization = headers?.find(([name]) => name === 'authorization')?.[1];
    if (authorization === undefined) {
      // If no request shows a key, the recording may be sanitized, or a gateway may add the key.
      if (this.#sawKey && headers?.some(([name]) => name !== 'content-type')) return absent;
      return this.#unseenIsOne ? { label: 'the key', kind: 'key', role: 'key 0' } : unknown;
    }
    const [, token] = key.exec(authorization) ?? [];
    if (token === undefined || masked.test(token) || token.replace(maskingWords, '').length < 12) return unknown;
    this.#sawKey = true;
    const hash = createHmac('sha256', this.#salt).update(token).digest('base64');
    const known = this.#keys.get(hash);
    if (known !== undefined) return known;
    if (this.#keys.size >= mostKeys) return unknown;
    const role = this.#roles.get(token) ?? (`key ${this.#keys.size + 1}` as const);
    const sender: Sender = { label: role, kind: 'key', role };
    this.#keys.set(hash, sender);
    this.#learned.add(token, sender.label);
    return sender;
  }

  /** Remembers the secrets of a request, so that `redact` replaces them everywhere. */
  learn(recorded: Recorded): void {
    this.#learned.addFrom(recorded);
  }

  /** Returns a request and its response without values that may be secret. */
  hidden(recorded: Recorded, tool: string): Recorded {
    return this.#hiding.hidden(recorded, tool, this.redactKeys());
  }

  /** Returns a redactor for all recorded and configured secrets, and for text that looks like a credential. */
  redact(): Redact {
    const known = this.#learned.redact().all;
    const hide = (_all: string, start: string, value: string) => start + this.#hiding.mark(value);
    return (text) =>
      known(text)
        .replace(schemedCredentials, hide)
        .replace(secretParameters, (all, start: string, _name: string, value: string) => hide(all, start, value));
  }

  /** Returns a redactor for all senders' keys and all configured secrets. */
  redactKeys(): Redact {
    return this.#learned.redact().keys;
  }
}

/** Maximum number of values with a number of their own. */
const mostNumbered = 20_000;

/**
 * Maximum length of a body that is not a JSON object. Longer or malformed bodies are left out, because they are not
 * judged as JSON, but their replacement would be.
 */
const mostCharacters = 100_000;

/**
 * Replaces values that may be secret with marks. An allowlist decides which values stay: harmless headers, and JSON
 * members without a secret name. All names stay. Equal values get equal marks and different values get different marks,
 * so rules can compare them.
 */
class Hiding {
  readonly #numbers = new Map<string, number>();

  /** @param redact replaces known keys; their marks stay */
  hidden(recorded: Recorded, tool: string, redact: Redact): Recorded {
    const { url, requestHeaders, requestBody, response } = recorded;
    const around: Redact = (value) => this.#around(value, redact);
    return {
      ...recorded,
      url: urlOf(url, around),
      requestHeaders: requestHeaders && this.#headers(requestHeaders, tool, url, around),
      requestBody: requestBody && this.#requestBody(requestBody, redact),
      response: response && {
        ...response,
        headers: response.headers && this.#headers(response.headers, tool, url, around),
        text: response.text && this.#members(response.text, around),
      },
    };
  }

  #headers(headers: Headers, tool: string, url: string, around: Redact): Headers {
    return headers.map(([name, value]) => {
      if (name === 'authorization' || isHarmless(name, value)) return [name, value];
      if (name === 'location') return [name, this.#location(value, url)];
      // A rule checks whether a header contains the name of an unknown tool.
      const names = value.toLowerCase().includes(tool.toLowerCase()) ? `, with ${tool}` : '';
      return [name, names === '' ? around(value) : this.mark(value, names)];
    });
  }

  /** Keeps the origin of a redirect, because a client must not send its key to another origin. */
  #location(value: string, url: string): string {
    const origin = URL.canParse(value) ? new URL(value).origin : '';
    return URL.canParse(value, url) ? `${origin}/${this.mark(value)}` : this.mark(value);
  }

  /** Keeps a JSON object, except for texts with a secret name. Other bodies keep only their type. */
  #requestBody(text: string, redact: Redact): string | undefined {
    const around: Redact = (value) => this.#around(value, redact);
    if (text.trim() === '') return text;
    const value = parsed(text);
    if (isRecord(value)) return redact(this.#members(text, around));
    if (text.length > mostCharacters || /[\ufeff\ufffd]/.test(text)) return undefined;
    if (value === undefined) return around(text);
    return text.replace(/"([^"\\]*(?:\\.[^"\\]*)*)"/g, (_all, inner: string) => `"${around(inner)}"`);
  }

  #members(text: string, around: Redact): string {
    return text.replace(secretMembers, (all, start: string, _name: string, value: string) =>
      value === '' ? all : start + around(value),
    );
  }

  /** Replaces the secrets in a value, and all text around them. */
  #around(value: string, redact: Redact): string {
    if (/[<>]/.test(value)) return this.mark(value);
    return redact(value).replace(/(^|>)([^<>]+)/g, (_all, before: string, text: string) => before + this.mark(text));
  }

  mark(value: string, more = ''): string {
    const name = hash('sha256', value, 'base64');
    const number = this.#numbers.get(name) ?? this.#numbers.size + 1;
    if (number > mostNumbered) return `<hidden${more}>`;
    this.#numbers.set(name, number);
    return `<hidden ${number}${more}>`;
  }
}

/** Returns a URL without user name and fragment. Its query keeps only names. */
function urlOf(url: string, hide: Redact): string {
  const plain = plainAddress(url);
  const at = plain.indexOf('?');
  if (at < 0) return plain;
  const pairs = plain.slice(at + 1).split('&');
  const shown = pairs.map((pair) => {
    const [, name, value] = /^([\w.[\]-]{1,40})=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) return pair === '' ? '' : hide(pair);
    return `${name}=${value === '' ? '' : hide(value)}`;
  });
  return `${plain.slice(0, at)}?${shown.join('&')}`;
}
