import type { Role } from '../../fixtures/roles.ts';
import { assertKey } from '../target/secret.ts';
import { assertKeysCanBeHidden } from '../target/secrets.ts';
import type { RoleKey, Target } from '../target/target.ts';
import { type Credential, Unanswered } from './call.ts';

const neverGood: ReadonlySet<Role> = new Set(['revoked', 'expired']);

/** Credential with the key of a role, sent as the specification says. */
export function bearer({ role, key, variable }: RoleKey): Credential {
  return {
    label: role,
    role,
    header: `Bearer ${key}`,
    curl: `Bearer $${variable}`,
    good: !neverGood.has(role),
  };
}

export const noCredential: Credential = { kind: 'absent', label: 'no credential', good: false };

/** Runs the commands that print keys again when the lifetime of a key is over. */
export class KeyRenewals {
  readonly #target: Target;
  /** Renewals that have not finished, and failed ones, which are not repeated. */
  readonly #renewals = new Map<RoleKey, Promise<void>>();
  /** Former keys, each with its role. Stories can still hold credentials with them. */
  readonly #former = new Map<string, RoleKey>();

  constructor(target: Target) {
    this.#target = target;
  }

  /** Renews the key of the credential if necessary, and returns the credential with current keys. */
  async current(credential: Credential): Promise<Credential> {
    const key = credential.role && this.#target.keys[credential.role];
    if (key?.renewal !== undefined && Date.now() - key.renewal.readAtMs >= key.renewal.lifetimeMs) {
      const renewal = this.#renewals.get(key) ?? this.#renew(key, key.renewal);
      this.#renewals.set(key, renewal);
      await renewal;
    }
    let { header } = credential;
    for (const [former, { key }] of this.#former) header = header?.replaceAll(former, key);
    return header === undefined ? credential : { ...credential, header };
  }

  async #renew(key: RoleKey, renewal: NonNullable<RoleKey['renewal']>): Promise<void> {
    const readAtMs = Date.now();
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
