import { assertKey } from '../target/secret.ts';
import { assertKeysCanBeHidden } from '../target/secrets.ts';
import type { RoleKey, Target } from '../target/target.ts';
import { Unanswered } from './call.ts';
import type { Credential } from './sent-exchange.ts';

/** Runs the commands that print keys again when the lifetime of a key is over. */
export class KeyRenewals {
  readonly #target: Target;
  readonly #now: () => number;
  /** Renewals that have not finished, and failed ones, which are not repeated. */
  readonly #renewals = new Map<RoleKey, Promise<void>>();
  /** Former keys, each with its role. Stories can still hold credentials with them. */
  readonly #former = new Map<string, RoleKey>();

  constructor(target: Target, now: () => number = Date.now) {
    this.#target = target;
    this.#now = now;
  }

  /** Whether the key of the credential must be renewed, or has been renewed. */
  concerns({ role }: Credential): boolean {
    return this.#former.size > 0 || this.#isDue(role && this.#target.keys[role]);
  }

  /** Renews the key of the credential if necessary, and returns the credential with current keys. */
  async current(credential: Credential): Promise<Credential> {
    const key = credential.role && this.#target.keys[credential.role];
    if (key !== undefined && this.#isDue(key)) {
      const renewal = this.#renewals.get(key) ?? this.#renew(key);
      this.#renewals.set(key, renewal);
      await renewal;
    }
    let { header } = credential;
    for (const [former, { key }] of this.#former) header = header?.replaceAll(former, key);
    return header === undefined ? credential : { ...credential, header };
  }

  #isDue(key: RoleKey | undefined): boolean {
    return key?.renewal !== undefined && this.#now() - key.renewal.readAtMs >= key.renewal.lifetimeMs;
  }

  async #renew(key: RoleKey): Promise<void> {
    const { renewal } = key;
    if (renewal === undefined) return;
    const readAtMs = this.#now();
    try {
      const value = await renewal.read();
      assertKey(value, `keys.${key.role}`);
      assertKeysCanBeHidden({ ...this.#target, keys: { [key.role]: { ...key, key: value } } });
      if (value !== key.key) this.#former.set(key.key, key);
      this.#former.delete(value);
      key.key = value;
      // Redactors learn secrets that are added to the list.
      this.#target.secrets.push(value);
    } catch (error) {
      throw new Unanswered(`the key was not renewed: ${error instanceof Error ? error.message : error}`);
    }
    renewal.readAtMs = readAtMs;
    this.#renewals.delete(key);
  }
}
