import { createHmac, randomBytes } from 'node:crypto';
import type { Role } from '../../fixtures/roles.ts';
import type { Sender } from '../history/exchange.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import { secretsOf } from '../target/secrets.ts';
import type { Target } from '../target.ts';
import { schemedCredentials, secretParameters } from './harmless.ts';
import { Hiding } from './hiding.ts';
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
  /** Senders by the hash of their key. */
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

  /** Returns the sender of a request with this `Authorization` header, or without one. */
  of(authorization: string | undefined): Sender {
    if (authorization === undefined) {
      // If no request shows a key, the recording may be sanitized, or a gateway may add the key.
      if (this.#sawKey) return absent;
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
