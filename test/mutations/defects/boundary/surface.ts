import { boundaryCodes } from '../../../../fixtures/contract/codes.ts';
import type { Role } from '../../../../fixtures/roles.ts';
import type { Call } from '../../../../stub/server/behavior.ts';
import { both, changing, errorFields, status, to } from '../../../../stub/variants/changes/responses.ts';
import { calls } from '../../../../stub/variants/changes/steps.ts';
import { defect } from '../../../../stub/variants/defect.ts';
import { skipping } from '../../changes/steps.ts';

const closedTo =
  (...roles: readonly Role[]) =>
  (call: Call): boolean =>
    roles.some((role) => role === call.key?.role);

/** Defects in the API switches and the capability. */
export const surfaceDefects = {
  'capability-not-asked-on-library-get': defect('lets holders without api.access fetch library items')
    .breaks('surface.without-access-refused')
    .by(skipping('surface', (call) => calls('library.get')(call) && closedTo('withoutAccess')(call))),
  'account-switch-not-asked-on-credits': defect('returns the balance of an account whose API switch is off')
    .breaks('surface.account-switch-refused')
    .by(skipping('surface', (call) => calls('credits.balance')(call) && closedTo('accountSwitchOff')(call))),
  'surface-after-arguments': defect('checks the API switches and api.access only after it validates the arguments')
    .breaks('surface.account-switch-refused', 'surface.platform-switch-refused', 'surface.without-access-refused')
    .by((behavior) => ({
      ...behavior,
      order: behavior.order.flatMap((name) =>
        name === 'surface' ? [] : name === 'checkArguments' ? [name, 'surface' as const] : [name],
      ),
    })),
  'platform-switch-forgotten': defect('never checks the API switch of the platform')
    .breaks('surface.platform-switch-refused')
    .by(skipping('surface', closedTo('platformSwitchOff'))),
  'one-code-for-closed-surfaces': defect('sends the same code with every 403')
    .breaks('surface.codes-tell-causes-apart')
    .by(changing(status(403), errorFields({ code: boundaryCodes.accountSwitchOff }))),
  'one-code-for-both-switches': defect(
    'sends the same code with the 403 for the platform switch and the 403 for the account switch',
  )
    .breaks('surface.codes-tell-causes-apart')
    .by(
      changing(
        both(status(403), to('accountSwitchOff', 'platformSwitchOff')),
        errorFields({ code: boundaryCodes.accountSwitchOff }),
      ),
    ),
};
