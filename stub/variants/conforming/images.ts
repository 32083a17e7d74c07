import { limits } from '../../../fixtures/contract/limits.ts';
import type { ToolCall } from '../../server/behavior.ts';
import { type ApiResponse, refusal } from '../../server/responses.ts';
import type { Confirmation } from '../../server/state/confirmations.ts';
import { refusingAs } from '../changes/arguments.ts';
import { issuing } from '../changes/confirmations.ts';
import { afterTool, aroundTool, changing, dispatch, fields } from '../changes/responses.ts';
import type { Deviation } from '../deviation.ts';
import type { Variant } from './variant.ts';

type ImagesCall = ToolCall<'images.generate'>;

/** Returns the confirmation that a request can use. */
function usable(call: ImagesCall): Confirmation | undefined {
  const { confirmation_id: id } = call.args;
  const held = id === undefined ? undefined : call.state.confirmations.find(id);
  return held !== undefined && call.behavior.confirmations.accepts(held, call) ? held : undefined;
}

const _changedRefused = (name: 'board' | 'brief'): Deviation =>
  aroundTool('images.generate', (generate) => (call) => {
    const held = usable(call);
    if (held === undefined || held.request[name] === call.args[name]) return generate(call);
    const message = `The ${name} is not the one that was shown. Confirm what was shown, or propose anew.`;
    return refusal('tool', { code: 'request_changed', message });
  });

const _boardFirst: Deviation = aroundTool('images.generate', (generate) => (call): ApiResponse => {
  const { args, place, behavior } = call;
  if (place.workspace.content.boards.some(({ id }) => id === args.board)) return generate(call);
  return refusal('tool', { code: behavior.codes.boardNotFound, message: 'The workspace has no such board.' });
});

const _ofOneKey: Deviation = (behavior) => {
  const askedBy = new Map<string, string>();
  const { accepts } = behavior.confirmations;
  const remembering = afterTool('images.generate', ({ body: { confirmation_id: id } }, call) => {
    if (typeof id === 'string') askedBy.set(id, call.key.secret);
  });
  return {
    ...remembering(behavior),
    confirmations: {
      ...behavior.confirmations,
      accepts: (held, call) => askedBy.get(held.id) === call.key.secret && accepts(held, call),
    },
  };
};

/** Returns the first response for a repeated proposal of the same key while its ID is valid. */
const _sameIdForSameProposal: Deviation = aroundTool('images.generate', (generate) => {
  const proposed = new Map<string, ApiResponse>();
  return (call) => {
    if (call.args.confirmation_id !== undefined) return generate(call);
    const request = JSON.stringify([call.key.secret, call.place.workspace.slug, call.args]);
    const earlier = proposed.get(request);
    const { confirmation_id: id } = earlier?.body ?? {};
    if (earlier !== undefined && typeof id === 'string') {
      const args = { ...call.args, confirmation_id: id };
      if (usable({ ...call, args }) !== undefined) return earlier;
    }
    const response = generate(call);
    proposed.set(request, response);
    return response;
  };
});

const { about, surelyAlive } = limits.confirmation;

const lifetime =
  (minutes: number): Deviation =>
  (behavior) => ({ ...behavior, confirmations: { ...behavior.confirmations, lifetimeSeconds: minutes * 60 } });

const _portraits = ['4:5', '9:16'];

/** Variants of image generation. */
export const imageVariants = {
  'one-image-at-a-time': {
    what: 'refuses more than one image in a request',
    room: 'images.generate: bounds of count are not shown',
    decides: 'count',
    deviation: refusingAs('expected 1', 'count', (value) => Number(value) > 1, 'images.generate'),
  },
  'confirmation-ids-of-any-letters': {
    what: 'uses quotes, spaces and letters of other scripts in a confirmation_id',
    room: 'Confirmation: an id is a string',
    decides: 'confirmation ids',
    deviation: issuing((_, id) => `№ ${id} "ß" \\`),
  },
  'bare-dispatch': {
    what: 'leaves working_in out of the dispatched reply',
    room: 'images.generate: working_in is on the proposing call',
    deviation: changing(dispatch, fields({ working_in: undefined })),
  },
  'short-lives': {
    what: `lets confirmations expire after ${surelyAlive + 2} minutes`,
    room: `Limits: about ${about} minutes`,
    decides: 'lifetime',
    deviation: lifetime(surelyAlive + 2),
  },
} satisfies Readonly<Record<string, Variant>>;
