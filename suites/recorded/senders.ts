import { createHmac, randomBytes } from 'node:crypto';
import type { Role } from '../../fixtures/roles.ts';
import type { Sender } from '../history/exchange.ts';
import { type Redact, redactor } from '../history/redaction/redactor.ts';
import { secretsOf } from '../target/secrets.ts';
import type { Target } from '../target.ts';

/** More keys are not told apart: what is remembered of each has to fit into memory. */
const mostKeys = 200;

/** A shorter value, or one of stars, is no key but what somebody put in its place. */
const key = /^bearer +([\w.~+/=-]{12,})$/i;
const placeholder = /redact|hidden|secret|removed|x{4}|\*{2}|\.{3}/i;

const unknown: Sender = { label: 'a key that the recording does not show', kind: 'other', role: null };
const absent: Sender = { label: 'no credential', kind: 'absent', role: null };

/**
 * Tells the keys of recorded traffic apart, by hashes with a salt of this run. The keys themselves stay in memory, only
 * to be hidden in what is reported.
 */
export class Senders {
  readonly #salt = randomBytes(32);
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #known: ReadonlyMap<string, string>;
  /** By the hash of the key. */
  readonly #keys = new Map<string, Sender>();
  readonly #toHide = new Map<string, string>();
  readonly #unseenIsOne: boolean;
  #sawKey = false;
  #redact: { readonly keys: number; readonly redact: Redact } | undefined;

  /** @param unseenIsOne the requests whose key a recording does not show were all sent with one. */
  constructor(target: Target | undefined, unseenIsOne = false) {
    this.#roles = new Map(Object.values(target?.keys ?? {}).map(({ role, key }) => [key, role]));
    this.#known = target === undefined ? new Map() : secretsOf(target);
    this.#unseenIsOne = unseenIsOne;
  }

  /** Who sent a request with this header; undefined where the recording shows no headers. */
  of(authorization: string | undefined): Sender {
    if (authorization === undefined) {
      // A recording without any key may have been sanitised, and a gateway may add keys.
      if (this.#sawKey) return absent;
      return this.#unseenIsOne ? { label: 'the key', kind: 'key', role: 'key 0' } : unknown;
    }
    const [, token] = key.exec(authorization) ?? [];
    if (token === undefined || placeholder.test(token)) return unknown;
    this.#sawKey = true;
    const hash = createHmac('sha256', this.#salt).update(token).digest('base64');
    const known = this.#keys.get(hash);
    if (known !== undefined) return known;
    if (this.#keys.size >= mostKeys) return unknown;
    const role = this.#roles.get(token) ?? (`key ${this.#keys.size + 1}` as const);
    const sender: Sender = { label: role, kind: 'key', role };
    this.#keys.set(hash, sender);
    this.#toHide.set(token, sender.label);
    return sender;
  }

  /** Replaces every key that was met, and every secret of the configuration. */
  redact(): Redact {
    if (this.#redact?.keys !== this.#keys.size) {
      this.#redact = { keys: this.#keys.size, redact: redactor(new Map([...this.#toHide, ...this.#known])) };
    }
    return this.#redact.redact;
  }
}
