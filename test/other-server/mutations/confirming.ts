import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import type { Answer } from '../answer.ts';
import type { JsonObject } from '../json.ts';
import type { Confirmation } from '../world.ts';
import { answers, around, type Call, isText } from './mutation.ts';

export const clock = { controllableClock: true };

/** Returns the confirmation that a request presents, if it was ever issued. */
export const carried = ({ tool, args, world }: Call): Confirmation | undefined =>
  tool === 'images.generate' && isText(args.confirmation_id)
    ? world.confirmations.get(args.confirmation_id)
    : undefined;

export type Why = 'used' | 'expired' | 'never-issued' | 'other-workspace' | 'other-account';

/** Returns why an ID is invalid, as seen before the request runs. */
export const why = (call: Call): Why | undefined => {
  if (call.tool !== 'images.generate' || !isText(call.args.confirmation_id)) return undefined;
  const confirmation = carried(call);
  if (!confirmation) return 'never-issued';
  if (confirmation.key.account !== call.key?.account) return 'other-account';
  if (call.args.workspace !== undefined && call.args.workspace !== confirmation.workspace.slug)
    return 'other-workspace';
  if (confirmation.used) return 'used';
  const age = call.world.now() - confirmation.issuedAt;
  return age >= call.world.options.confirmationMinutes * 60_000 ? 'expired' : undefined;
};

/** Edits `confirmation_invalid` responses for one reason. */
export const told = (description: string, reason: Why, edit: (answer: Answer) => void) =>
  around(
    description,
    () => async (call, next) => {
      const before = why(call);
      const answer = await next(call.received);
      if (answer.body.code === refusalCodes.confirmationInvalid && before === reason) edit(answer);
      return answer;
    },
    reason === 'expired' ? clock : {},
  );

/** Changes a confirmation just before the server checks it. */
export const bending = (description: string, bend: (confirmation: Confirmation, call: Call) => void, options = {}) =>
  around(
    description,
    () => async (call, next) => {
      const confirmation = carried(call);
      if (confirmation) bend(confirmation, call);
      return next(call.received);
    },
    options,
  );

/** Edits the responses of dispatches. */
export const dispatched = (description: string, edit: (body: JsonObject, call: Call) => void) =>
  answers(description, (answer, call) => {
    if (answer.body.status === 'dispatched') edit(answer.body, call);
  });
