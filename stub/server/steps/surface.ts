import { type Step, settled } from '../behavior.ts';
import { boundaryError } from '../responses.ts';

/** Checks both API switches and the capability on every request ("Authentication", item 4). */
export const surface: Step = ({ key, state, behavior }) => {
  const { account: accountId, capability } = settled(key, 'key');
  const account = settled(state.accounts.get(accountId), 'account');
  const platform = settled(state.platforms.get(account.platform), 'platform');
  if (!platform.apiSwitch) {
    return boundaryError(403, behavior.codes.platformSwitchOff, 'The API is switched off on this platform.');
  }
  if (!account.apiSwitch) {
    const message = "The API is switched off for this account. Its owner can switch it on in the account's settings.";
    return boundaryError(403, behavior.codes.accountSwitchOff, message);
  }
  if (!capability) {
    const message =
      'The holder of this key lacks the capability api.access. Ask an administrator of the account for it.';
    return boundaryError(403, behavior.codes.withoutAccess, message);
  }
  return undefined;
};
