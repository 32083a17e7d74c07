import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import type { ToolCall } from '../../../stub/server/behavior.ts';
import { type ApiResponse, refusal } from '../../../stub/server/responses.ts';
import type { Confirmation } from '../../../stub/server/state/state.ts';
import { refusingAs } from '../../../stub/variants/changes/arguments.ts';
import { issuing } from '../../../stub/variants/changes/confirmations.ts';
import {
  afterTool,
  aroundTool,
  changing,
  confirmationInvalid,
  field,
} from '../../../stub/variants/changes/responses.ts';
import { lifetime } from '../../../stub/variants/conforming/images.ts';
import type { Variant } from '../../../stub/variants/defect.ts';
import { type Deviation, together } from '../../../stub/variants/defect.ts';
import { boardFirst } from '../changes/confirmations.ts';

type ImagesCall = ToolCall<'images.generate'>;

/** Returns the confirmation that a request can use. */
function usable(call: ImagesCall): Confirmation | undefined {
  const { confirmation_id: id } = call.args;
  const held = id === undefined ? undefined : call.state.confirmations.get(id);
  return held !== undefined && call.behavior.confirmations.accepts(held, call) ? held : undefined;
}

const changedRefused = (name: 'board' | 'brief'): Deviation =>
  aroundTool('images.generate', (generate) => (call) => {
    const held = usable(call);
    if (held === undefined || held.request[name] === call.args[name]) return generate(call);
    const message = `The ${name} is not the one that was shown. Confirm what was shown, or propose anew.`;
    return refusal('tool', { code: 'request_changed', message });
  });

const ofOneKey: Deviation = (behavior) => {
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
const sameIdForSameProposal: Deviation = aroundTool('images.generate', (generate) => {
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

const { about, surelyDead } = limits.confirmation;

const portraits = ['4:5', '9:16'];

/** Variants of image generation. */
export const imageVariants = {
  'two-images-at-least': {
    what: 'refuses a single image',
    room: 'images.generate: bounds of count are not shown',
    decides: 'count',
    random: false,
    deviation: refusingAs('expected 2 or more', 'count', (value) => Number(value) < 2, 'images.generate'),
  },
  'portraits-only': {
    what: 'accepts only the shapes 4:5 and 9:16',
    room: 'images.generate: the list of shapes is not shown',
    deviation: together(
      refusingAs(
        `expected one of ${portraits.join(', ')}`,
        'shape',
        (value) => !portraits.includes(String(value)),
        'images.generate',
      ),
      (behavior) => ({ ...behavior, images: { ...behavior.images, shape: '4:5' } }),
    ),
  },
  'changed-board-refused': {
    what: 'refuses another board on the second call, with a code of its own',
    room: 'Confirmation, rule 1: the second call may differ from what was shown',
    decides: 'changed board',
    deviation: changedRefused('board'),
  },
  'board-before-confirmation': {
    what: 'looks up the board on the second call too, before the id',
    room: 'Tool refusals: which of several wins is not said',
    decides: 'changed board',
    deviation: boardFirst,
  },
  'changed-brief-refused': {
    what: 'refuses another brief on the second call, with a code of its own',
    room: 'Confirmation, rule 1: the second call may differ from what was shown',
    deviation: changedRefused('brief'),
  },
  'confirmations-from-one': {
    what: 'numbers its confirmations 1, 2, 3',
    room: 'Confirmation: an id is a string',
    decides: 'confirmation ids',
    deviation: (behavior) => {
      let last = 0;
      const next = () => {
        last += 1;
        return String(last);
      };
      return issuing(next)(behavior);
    },
  },
  'confirmations-of-one-key': {
    what: 'accepts a confirmation only from the key that proposed it',
    room: 'Confirmation, rule 3: "belonging elsewhere" may mean another key',
    deviation: ofOneKey,
  },
  'confirmation-id-repeated': {
    what: `repeats the id in the message of ${refusalCodes.confirmationInvalid}`,
    room: 'Error envelopes: a message is any sentence',
    deviation: changing(confirmationInvalid, (response, call) =>
      field('message', (message) => `${message} (${call.args.confirmation_id})`)(response, call),
    ),
  },
  'same-id-for-same-proposal': {
    what: 'answers a repeated proposal with the id that it issued before',
    room: 'Confirmation of a spending action: whether the same proposal gets another id is not said',
    deviation: sameIdForSameProposal,
  },
  'long-lives': {
    what: `lets confirmations expire after ${surelyDead - 2} minutes`,
    room: `Limits: about ${about} minutes`,
    decides: 'lifetime',
    deviation: lifetime(surelyDead - 2),
  },
} satisfies Readonly<Record<string, Variant>>;
