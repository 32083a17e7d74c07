import { createHmac, randomBytes } from 'node:crypto';
import type { Role } from '../../fixtures/roles.ts';
import type { Sender } from '../history/exchange.ts';
import type { Redact } from '../history/redaction/redactor.ts';
import { secretsOf } from '../target/secrets.ts';
import type { Target } from '../target.ts';
import { schemedCredentials, secretParameters } from './harmless.ts';
import { Hiding } from './hiding.ts';
import { Learned } from './learned.ts';
import type { Recorded } from './recorded.ts';

/** More keys are not distinguished: what is remembered of each has to fit into memory. */
const mostKeys = 200;

/** A shorter value is no key but what somebody put in its place. */
const key = /^bearer +([^\s<>[\]{}*,"']{12,})$/i;
const masked = /\*{2}|\.{3}/;
const maskingWords = /redacted?|hidden|secret|removed|masked|x{4,}|[^a-z\d]/gi;

const unknown: Sender = { label: 'a key that the recording does not show', kind: 'other', role: null };
const absent: Sender = { label: 'no credential', kind: 'absent', role: null };

/**
 * Distinguishes the keys of recorded traffic by hashes with a salt of this run. The keys themselves stay in memory, to
 * be hidden in reports.
 */
export class Senders {
  readonly #salt = randomBytes(32);
  readonly #roles: ReadonlyMap<string, Role>;
  /** By the hash of the key. */
  readonly #keys = new Map<string, Sender>();
  readonly #learned: Learned;
  readonly #hiding = new Hiding();
  readonly #unseenIsOne: boolean;
  #sawKey = false;

  /** @param unseenIsOne the requests whose key a recording does not show were all sent with one. */
  constructor(target: Target | undefined, unseenIsOne = false) {
    this.#roles = new Map(Object.values(target?.keys ?? {}).map(({ role, key }) => [key, role]));
    this.#learned = new Learned(target === undefined ? new Map() : secretsOf(target));
    this.#unseenIsOne = unseenIsOne;
  }

  /** There are more secrets than can be replaced everywhere: headers, bodies and texts must not be written. */
  get isFull(): boolean {
    return this.#learned.isFull;
  }

  /** Who sent a request with this header; undefined where the recording shows no headers. */
  of(authorization: string | undefined): Sender {
    if (authorization === undefined) {
      // A recording without any key may have been sanitised, and a gateway may add keys.
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

  /** A request and its response without values that may be secrets. */
  hidden(recorded: Recorded, tool: string): Recorded {
    return this.#hiding.hidden(recorded, tool, this.redactKeys());
  }

  /** Replaces every secret that was met or configured, and whatever looks like a credential. */
  redact(): Redact {
    const known = this.#learned.redact().all;
    const hide = (_all: string, start: string, value: string) => start + this.#hiding.mark(value);
    return (text) =>
      known(text)
        .replace(schemedCredentials, hide)
        .replace(secretParameters, (all, start: string, _name: string, value: string) => hide(all, start, value));
  }

  /** Replaces every key of a sender, and every configured secret. */
  redactKeys(): Redact {
    return this.#learned.redact().keys;
  }
}
