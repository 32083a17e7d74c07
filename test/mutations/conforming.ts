import { isUtf8 } from 'node:buffer';
import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { limits } from '../../fixtures/contract/limits.ts';
import type { ToolCall } from '../../stub/server/behavior.ts';
import type { ApiResponse } from '../../stub/server/responses.ts';
import { isRealDay } from '../../stub/server/state/calendar.ts';
import type { Confirmation } from '../../stub/server/state/state.ts';
import { scoped } from '../../stub/server/tools/scoped.ts';
import { rated } from '../../stub/variants/conforming/boundary.ts';
import type { Deviation, Variant } from '../../stub/variants/defect.ts';
import { boardFirst } from './changes/confirmations.ts';
import { afterTool, aroundTool, changing, confirmationInvalid, field, invalid, list } from './changes/responses.ts';
import { around, refusingAs, rightBefore } from './changes/steps.ts';

const lenientBodies = around('readBody', (read) => (call) => {
  const given = call.request.body;
  if (given === null) return read(call);
  const text = Buffer.from(given).toString('utf8');
  const taken = text.trim() === '' ? null : isUtf8(given) ? given : Buffer.from(text);
  const copy = { ...call, request: { ...call.request, body: taken } };
  const response = read(copy);
  call.body = copy.body;
  return response;
});

type ImagesCall = ToolCall<'images.generate'>;

/** Returns the confirmation that a request can use. */
function usable(call: ImagesCall): Confirmation | undefined {
  const { confirmation_id: id } = call.args;
  const held = id === undefined ? undefined : call.state.confirmations.get(id);
  return held !== undefined && call.behavior.confirmations.accepts(held, call) ? held : undefined;
}

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

const create = 'content.create_request';
const searches = ['library.search', 'knowledge.search'] as const;
const { most } = limits.title;
const isLong = (title: unknown) => String(title ?? '').length > most;
const isBlank = (title: unknown) => typeof title === 'string' && title.trim() === '';
const firstIssue = list('issues', (issues) => issues.slice(0, 1));

/** Variants that only test the kit. The third server has the other choices that the specification leaves open. */
export const ownVariants = {
  'first-issue-only': {
    what: 'names only the first invalid field',
    room: 'Tool refusals: that every bad field is named is advice',
    against: ['arguments.all-fields-named'],
    deviation: changing(invalid, firstIssue),
  },
  'surface-last': {
    what: 'returns 403 only after all other checks that precede the arguments',
    room: 'Boundary errors: which of several wins is not said',
    deviation: rightBefore('surface', 'checkArguments', 'resolveWorkspace'),
  },
  'lenient-bodies': {
    what: 'treats white space as no body, and replaces bytes that are not UTF-8',
    room: 'Boundary errors: neither is mentioned',
    deviation: lenientBodies,
  },
  'tiny-batch-limit': {
    what: 'rejects an array of two messages as too large',
    room: 'Limits: the number of messages is not shown',
    deviation: (behavior) => ({ ...behavior, batchLimit: 1 }),
  },
  'query-required': {
    what: 'refuses searches without a query',
    room: 'library.search, knowledge.search: whether query may be left out is not said',
    deviation: refusingAs('expected a text', 'query', (value) => value === undefined, ...searches),
  },
  'impossible-days-refused': {
    what: 'refuses days that match the pattern and do not exist',
    room: 'content.create_request: day has a pattern',
    deviation: refusingAs('there is no such day', 'day', (value) => !isRealDay(String(value)), create),
  },
  'titles-in-utf-16': {
    what: 'counts the length of a title in UTF-16 units',
    room: 'Limits: what counts as a character is not said',
    deviation: refusingAs(`expected at most ${most} characters`, 'title', isLong, create),
  },
  'unknown-item-is-nothing': {
    what: 'returns ok true and item null for an unknown item',
    room: 'library.get: response fields are not shown',
    against: ['library.unknown-id-refused'],
    deviation: aroundTool('library.get', (get) => (call) => {
      const response = get(call);
      return response.body.ok === false ? scoped(call.place, { ok: true, item: null }) : response;
    }),
  },
  'blank-titles-refused': {
    what: 'refuses titles of white space',
    room: 'Piece: a title of white space is not mentioned',
    deviation: refusingAs('expected a title', 'title', isBlank, create),
  },
  'board-before-confirmation': {
    what: 'looks up the board on the second call too, before the id',
    room: 'Tool refusals: which of several wins is not said',
    deviation: boardFirst,
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
  'huge-cap': {
    what: 'has a rate limit that no client reaches',
    room: 'Limits: the number is not shown',
    decides: 'rate limit',
    random: false,
    deviation: rated({ limit: () => Number.POSITIVE_INFINITY }),
  },
} satisfies Readonly<Record<string, Variant>>;
