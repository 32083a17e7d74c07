import { limits } from '../../../fixtures/contract/limits.ts';
import { refusingAs } from '../changes/arguments.ts';
import { issuing } from '../changes/confirmations.ts';
import { changing, dispatch, fields } from '../changes/responses.ts';
import type { Deviation, Variant } from '../defect.ts';

const { about, surelyAlive } = limits.confirmation;

export const lifetime =
  (minutes: number): Deviation =>
  (behavior) => ({ ...behavior, confirmations: { ...behavior.confirmations, lifetimeSeconds: minutes * 60 } });

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
