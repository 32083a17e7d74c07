import { setTimeout as pause } from 'node:timers/promises';
import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { aboutLifetime } from '../../../fixtures/contract/limits.ts';
import { bending, carried, clock, told, why } from './confirming.ts';
import { around, isText, requests, withArgs } from './mutation.ts';

/** Deviations of confirmations. */
export const confirmationMutations = {
  'expired-has-a-member-more': told('an expired id has a member of its own', 'expired', (answer) => {
    answer.body.expired = true;
  }),
  'never-issued-message-differs': told('an id never issued has a message of its own', 'never-issued', (answer) => {
    answer.body.message = `No such confirmation; one is good for ${aboutLifetime}.`;
  }),
  'other-account-message-differs': told(
    'an id of another account has a message of its own',
    'other-account',
    (answer) => {
      answer.body.message = `Not yours; a confirmation is good for ${aboutLifetime}.`;
    },
  ),
  'other-account-is-told-by-a-header': told(
    'an id of another account has a header of its own',
    'other-account',
    (answer) => {
      answer.headers['x-owner'] = 'another';
    },
  ),
  'used-again-within-50-ms': around('an id is good again within 50 ms', () => {
    const first = new Map<string, number>();
    return async (call, next) => {
      const confirmation = carried(call);
      const since = Date.now() - (first.get(confirmation?.id ?? '') ?? 0);
      if (confirmation?.used && since < 50) confirmation.used = false;
      const answer = await next(call.received);
      if (confirmation && answer.body.status === 'dispatched' && since > 1e9) first.set(confirmation.id, Date.now());
      return answer;
    };
  }),
  'good-again-for-one-image': bending('an id for one image is never used up', (confirmation) => {
    if (confirmation.request.count === 1) confirmation.used = false;
  }),
  race: around('simultaneous confirmations all dispatch', () => async (call, next) => {
    const confirmation = carried(call);
    if (!confirmation || confirmation.used) return next(call.received);
    await pause(5);
    confirmation.used = false;
    return next(call.received);
  }),
  'race-of-two': around('the second of simultaneous confirmations dispatches too', () => {
    const waiting = new Map<string, number>();
    return async (call, next) => {
      const confirmation = carried(call);
      if (!confirmation || confirmation.used) return next(call.received);
      const place = (waiting.get(confirmation.id) ?? 0) + 1;
      waiting.set(confirmation.id, place);
      await pause(5);
      if (place === 2) confirmation.used = false;
      return next(call.received);
    };
  }),
  'losers-of-a-race-fail': around('those who lose a race get HTTP 500', () => async (call, next) => {
    const alive = carried(call)?.used === false && why(call) === undefined;
    if (alive) await pause(5);
    const answer = await next(call.received);
    if (alive && answer.body.code === refusalCodes.confirmationInvalid) answer.status = 500;
    return answer;
  }),
  'expiry-slides': bending(
    'every proposal of the key renews the ids it has',
    ({ key, id }, { world }) => {
      const later = [...world.confirmations.values()].filter((other) => other.key === key && other.id !== id);
      const confirmation = world.confirmations.get(id);
      for (const { issuedAt } of later)
        if (confirmation && issuedAt > confirmation.issuedAt) confirmation.issuedAt = issuedAt;
    },
    clock,
  ),
  'id-with-a-tail': requests('what follows an id does not count', ({ tool, args, received }) =>
    tool === 'images.generate' && isText(args.confirmation_id) && args.confirmation_id !== ''
      ? withArgs(received, {
          ...args,
          confirmation_id: args.confirmation_id.match(/^\d+/)?.[0] ?? args.confirmation_id,
        })
      : undefined,
  ),
  'any-id-is-the-last': around(
    'an id never issued confirms the last proposal of the key',
    (world) => async (call, next) => {
      const last = [...world.confirmations.values()].findLast(({ key, used }) => key === call.key && !used);
      if (why(call) !== 'never-issued' || !last) return next(call.received);
      return next(withArgs(call.received, { ...call.args, confirmation_id: last.id }));
    },
  ),
};
