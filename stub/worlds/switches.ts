import { z } from 'zod';
import type { Role } from '../../fixtures/roles.ts';
import { withoutUndefined } from '../../suites/json.ts';
import type { State } from '../server/state/state.ts';
import { checked, whole } from './checked.ts';

const slug = z.string().nullable();

export const switchMembers = z
  .strictObject({
    key: z.enum(['live', 'revoked', 'expired']),
    /** Whether the holder has the capability `api.access`. */
    capability: z.boolean(),
    /** Requests per minute. The current window keeps its count. */
    rateLimit: whole(0, 1_000_000),
    /** Slug of the pinned workspace. */
    pin: slug,
    /** Slug of the holder's default workspace. */
    storedDefault: slug,
    /** The API switch of the key's account, for all of its keys. */
    accountSwitch: z.boolean(),
    /** The API switch of the account's platform, for all of its accounts. */
    platformSwitch: z.boolean(),
    /** Credits of the key's account. */
    balance: z.number().min(0),
  })
  .partial();

/** Changes to a key, its holder, its account and its platform. Omitted members stay unchanged. */
export type Switches = Readonly<z.input<typeof switchMembers>>;

/**
 * Changes the key of a role. Throws a RangeError for impossible values, such as a workspace that the key cannot reach.
 * On error, nothing changes.
 */
export function throwSwitches(state: State, role: Role, wanted: Switches): void {
  checked('A switch', switchMembers, wanted);
  if (Object.values(wanted).every((value) => value === undefined))
    throw new RangeError(`A switch: expected at least one of ${Object.keys(switchMembers.shape).join(', ')}.`);
  const key = [...state.keys.values()].find((held) => held.role === role);
  if (key === undefined) throw new RangeError(`There is no key in the role '${role}'.`);
  for (const slug of [wanted.pin, wanted.storedDefault]) {
    if (typeof slug === 'string' && !key.reach.includes(slug)) {
      throw new RangeError(
        `The key in the role '${role}' does not reach '${slug}'; it reaches ${key.reach.join(', ')}.`,
      );
    }
  }
  const account = state.accounts.get(key.account);
  const platform = state.platforms.get(account?.platform ?? '');
  const { key: keyState, accountSwitch, platformSwitch, balance, ...more } = wanted;
  Object.assign(key, withoutUndefined({ state: keyState, ...more }));
  Object.assign(account ?? {}, withoutUndefined({ apiSwitch: accountSwitch, credits: balance }));
  Object.assign(platform ?? {}, withoutUndefined({ apiSwitch: platformSwitch }));
}
