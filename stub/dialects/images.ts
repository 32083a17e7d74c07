import type { imageDialects as data } from '../../fixtures/dialects/images.ts';
import { type Answer, refusal } from '../answers.ts';
import type { ToolCall } from '../call.ts';
import { issuing } from '../defects/ids.ts';
import { answering, aroundTool, code, type Deviation, dispatch, field, fields, together } from '../defects/patches.ts';
import type { Confirmation } from '../state/confirmations.ts';
import { refusingField } from './fields.ts';

type ImagesCall = ToolCall<'images.generate'>;

/** The confirmation that a call may use. */
function usable(call: ImagesCall): Confirmation | undefined {
  const { confirmation_id: id } = call.args;
  const held = id === undefined ? undefined : call.state.confirmations.find(id);
  return held !== undefined && call.rules.confirmations.accepts(held, call) ? held : undefined;
}

const changedRefused = (name: 'board' | 'brief'): Deviation =>
  aroundTool('images.generate', (generate) => (call) => {
    const held = usable(call);
    if (held === undefined || held.request[name] === call.args[name]) return generate(call);
    const message = `The ${name} is not the one that was shown. Confirm what was shown, or propose anew.`;
    return refusal('tool', { code: 'request_changed', message });
  });

const boardFirst: Deviation = aroundTool('images.generate', (generate) => (call): Answer => {
  const { args, place, rules } = call;
  if (place.workspace.content.boards.some(({ id }) => id === args.board)) return generate(call);
  return refusal('tool', { code: rules.codes.boardNotFound, message: 'The workspace has no such board.' });
});

const ofOneKey: Deviation = (rules) => {
  const askedBy = new Map<string, string>();
  const { accepts } = rules.confirmations;
  const remembering = aroundTool('images.generate', (generate) => (call) => {
    const answer = generate(call);
    const { confirmation_id: id } = answer.body;
    if (typeof id === 'string') askedBy.set(id, call.key.secret);
    return answer;
  });
  return {
    ...remembering(rules),
    confirmations: {
      ...rules.confirmations,
      accepts: (held, call) => askedBy.get(held.id) === call.key.secret && accepts(held, call),
    },
  };
};

const lifetime =
  (minutes: number): Deviation =>
  (rules) => ({ ...rules, confirmations: { ...rules.confirmations, lifetimeSeconds: minutes * 60 } });

const portraits = ['4:5', '9:16'];

/** Conforming ways to be different about images. */
export const imageDialects: Readonly<Record<keyof typeof data, Deviation>> = {
  'one-image-at-a-time': refusingField('images.generate', 'count', (value) => Number(value) > 1, 'expected 1'),
  'two-images-at-least': refusingField('images.generate', 'count', (value) => Number(value) < 2, 'expected 2 or more'),
  'portraits-only': together(
    refusingField(
      'images.generate',
      'shape',
      (value) => !portraits.includes(String(value)),
      `expected one of ${portraits.join(', ')}`,
    ),
    (rules) => ({ ...rules, images: { ...rules.images, shape: '4:5' } }),
  ),
  'changed-board-refused': changedRefused('board'),
  'board-before-confirmation': boardFirst,
  'changed-brief-refused': changedRefused('brief'),
  'confirmations-from-one': (rules) => {
    let last = 0;
    const next = () => {
      last += 1;
      return String(last);
    };
    return issuing(next)(rules);
  },
  'confirmation-ids-of-any-letters': issuing((_, id) => `№ ${id} "ß" \\`),
  'confirmations-of-one-key': ofOneKey,
  'confirmation-id-repeated': answering(code('confirmation_invalid'), (answer, call) =>
    field('message', (message) => `${message} (${call.args.confirmation_id})`)(answer, call),
  ),
  'bare-dispatch': answering(dispatch, fields({ working_in: undefined })),
  'short-lives': lifetime(22),
  'long-lives': lifetime(43),
};
