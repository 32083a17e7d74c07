import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { check } from '../check.ts';
import type { Args, Context } from '../engine/context.ts';
import { type Answered, isSuccess } from '../exchange.ts';
import { fieldIs, fieldIsText } from '../expect/fields.ts';
import type { Finding } from '../finding.ts';
import { brief, member } from '../json.ts';
import { rule } from '../rule.ts';
import { askedForMore } from '../scenes/confirming.ts';
import { balance } from '../scenes/credits.ts';
import {
  controlAsked,
  controlProposed,
  creditsSuffice,
  isProposal,
  leftAlone,
  lookAtShape,
  propose,
  proposeAgain,
  proposed,
  proposes,
} from '../scenes/images.ts';
import { dispatchedBy, givenAgain, isPlainRequest, issuedBy } from '../scenes/issued-ids.ts';
import { otherShape } from '../scenes/shapes.ts';

const tool = 'images.generate';

/** What holds for every proposal, whichever check asked for it. */
function everyProposal(requirement: RequirementId, verdict: (exchange: Answered) => Finding | undefined) {
  return rule({
    requirement,
    needs: proposes,
    applies: (exchange) => exchange.request.tool === tool && isProposal(exchange),
    verdict,
    exercise: async (t) => [(await controlAsked(t)).answer],
  });
}

/** A field of every proposal is what the call asked for; `other` is a value beside the control's that may be refused. */
function asAsked(
  requirement: RequirementId,
  field: string,
  argument: 'count' | 'shape' | 'board',
  hint: string,
  other?: (t: Context, args: Args) => Promise<Answered>,
) {
  const proper = (value: unknown) => (argument === 'count' ? Number.isInteger(value) : typeof value === 'string');
  return rule({
    requirement,
    needs: proposes,
    // What ought not to have been accepted is told by the requirement that refuses it.
    applies: (exchange) =>
      exchange.request.tool === tool && isProposal(exchange) && proper(exchange.request.args?.[argument]),
    verdict: (exchange) => fieldIs(exchange, field, exchange.request.args?.[argument], hint),
    async exercise(t) {
      const { args, answer } = await controlAsked(t);
      return other === undefined ? [answer] : [answer, await other(t, args)];
    },
  });
}

/** A proposal that has just been made: for more than the least, where so many are accepted. */
async function proposedNow(t: Context, look: number) {
  const more = await askedForMore(t);
  if (!isProposal(more.answer)) return propose(t, 'to compare balances');
  return look === 1 ? more : proposeAgain(t, more.args);
}

export const imageProposals = [
  {
    ...rule({
      requirement: 'image-proposals.proposed',
      needs: proposes,
      applies: (exchange) => isSuccess(exchange) && isPlainRequest(exchange),
      verdict: proposed,
      exercise: async (t) => [(await controlAsked(t)).answer],
    }),
    async run(t: Context) {
      const { answer } = await controlAsked(t);
      creditsSuffice(t, answer);
      t.expect(lookAtShape(t, proposed(answer), answer));
    },
  },
  everyProposal('image-proposals.confirmation-id', (exchange) =>
    fieldIsText(exchange, 'confirmation_id', 'without the id a proposal can never be confirmed'),
  ),
  rule({
    requirement: 'image-proposals.confirmation-id-new',
    needs: proposes,
    applies: (exchange) =>
      issuedBy(exchange) !== undefined || dispatchedBy(exchange, exchange.request.args?.confirmation_id),
    verdict: (exchange, before) => givenAgain(before, exchange),
    exercise: async (t) => [(await controlProposed(t)).answer, (await leftAlone(t)).answer],
  }),
  everyProposal('image-proposals.request-summary', (exchange) =>
    fieldIsText(exchange, 'request_summary', 'one plain sentence for the person who approves'),
  ),
  everyProposal('image-proposals.run-id-null', (exchange) =>
    fieldIs(exchange, 'run_id', null, 'nothing runs yet: send null, rather than an id made ahead or no field'),
  ),
  asAsked(
    'image-proposals.count-as-asked',
    'count',
    'count',
    'the person approves this number of images',
    async (t) => (await askedForMore(t)).answer,
  ),
  asAsked(
    'image-proposals.aspect-ratio-as-asked',
    'aspect_ratio',
    'shape',
    'the person approves this shape',
    (t, args) => t.call(tool, { ...args, shape: otherShape(t, args) }),
  ),
  asAsked('image-proposals.board-as-asked', 'board_id', 'board', 'the person approves this board'),
  everyProposal('image-proposals.working-in-source', (exchange) => {
    const source = member(exchange.answer.json, 'working_in', 'source');
    if (typeof source === 'string') return undefined;
    return {
      expected: 'working_in.source to be a string',
      actual: `working_in.source ${brief(source)}`,
      hint: 'a proposal tells why it would run in this workspace',
      exchanges: [exchange],
    };
  }),
  check({
    requirement: 'image-proposals.spends-nothing',
    needs: { ...proposes, alone: 'balance' },
    async run(t) {
      let steady = true;
      for (let look = 1; ; look += 1) {
        // Often once there is a suspicion, so that somebody else who spends now and then is seen.
        const earlier: number[] = [];
        for (let time = 0; time < (look === 1 ? 1 : 7); time += 1) earlier.push((await balance(t)).value);
        const before = await balance(t);
        steady &&= earlier.every((value) => value === before.value);
        const { answer } = await proposedNow(t, look);
        const after = await balance(t);
        if (before.value === after.value) return;
        if (look < 3) continue;
        if (!steady) t.cannot('the balance keeps changing: somebody else is spending');
        t.expect({
          expected: `the balance to stay at ${before.value}`,
          actual: `${after.value} after a proposal, ${look} times in a row`,
          hint: 'charge when the run starts, not when it is proposed',
          exchanges: [before.answer, answer, after.answer],
        });
        return;
      }
    },
  }),
];
