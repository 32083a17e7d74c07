import { limits } from '../../../fixtures/contract/limits.ts';
import { refusal } from '../answers.ts';
import {
  all,
  alsoRefuses,
  type Change,
  crowded,
  declines,
  declinesAfter,
  generates,
  onAnswer,
  onSuccess,
  pause,
  proposes,
} from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Call } from '../model.ts';
import { step } from '../steps.ts';
import { digits } from '../world.ts';

const declinesProposal = (code: string, applies: (c: Call) => boolean) =>
  declines(code, (c) => proposes(c) && applies(c));
const brief = ({ args }: Call): string => String(args.brief ?? '');

/** Refuses IDs with another form than the issued ones as invalid arguments. */
const idsOfForm = (pattern: RegExp): Change =>
  alsoRefuses('confirmation_id', (id, c) => generates(c) && typeof id === 'string' && !pattern.test(id));

/** Changes the balance after a dispatch was charged. */
const afterCharge = (change: (pay: (credits: number) => void, cost: number) => void): Change =>
  onAnswer('dispatch', ({ body }, { world }, { account, count }) => {
    const pay = (credits: number) => {
      world.credits[account] += credits;
    };
    if (body.ok === true) change(pay, count * world.settings.price);
  });

let serial = 0;

/** Deployments with other limits of briefs, counts and shapes, other IDs and lifetimes, other refusals and charges. */
export const imageDeployments: Deployments = {
  'brief-at-least-200': { settings: { brief: [200, 4000] } },
  'brief-at-most-12': { settings: { brief: [1, 12] } },
  'brief-of-six-words': {
    steps: declinesProposal('brief_too_vague', (c) => brief(c).trim().split(/\s+/).length < 6),
  },
  'brief-without-digits': { steps: declinesProposal('moderation', (c) => /\d/.test(brief(c))) },
  'refused-by-proposals-only': {
    settings: { shapes: ['16:9', '21:9'], counts: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    steps: declinesProposal('brief_unfinished', (c) => !brief(c).trimEnd().endsWith('.')),
    target: () => ({ shape: '16:9' }),
  },
  'counts-even': { settings: { counts: [2, 4] }, target: () => ({ maxImages: 60 }) },
  'count-one': { settings: { counts: [1] } },
  'counts-by-shape': {
    steps: declinesProposal('too_many_of_shape', ({ args }) => args.shape === '16:9' && Number(args.count) > 1),
  },
  'shape-wide-only': {
    settings: { shapes: ['16:9'] },
    target: ({ world }) => (world.settings.shapes.length === 1 ? { shape: '16:9' } : {}),
  },
  'id-of-six-digits': {
    settings: { confirmationId: (serial) => String(100_000 + ((serial * 7919) % 899_999)) },
    steps: idsOfForm(/^\d{6}$/),
  },
  'id-of-900-letters': {
    settings: {
      confirmationId: (serial) => Array.from({ length: 9 }, (_, part) => digits(`${serial} ${part}`, 100)).join(''),
    },
  },
  'id-in-base64': {
    settings: { confirmationId: (serial) => Buffer.from(digits(`b ${serial}`, 20)).toString('base64') },
    steps: idsOfForm(/^[A-Za-z0-9+/]+=*$/),
  },
  'ids-count-up': {
    settings: { confirmationId: (serial) => String(1000 + serial) },
    steps: all(
      idsOfForm(/^\d{4}$/),
      onSuccess('content.create_request', (body) => {
        body.piece_id = String(serial++);
      }),
    ),
  },
  'ids-with-signs': { settings: { confirmationId: (serial) => `c/ö "${digits(`s ${serial}`, 10)}" ✓=${serial}` } },
  'short-lives': { settings: { lifetimeMinutes: limits.confirmation.surelyAlive + 2 } },
  'long-lives': { settings: { lifetimeMinutes: limits.confirmation.surelyDead - 1 } },
  'changes-refused': {
    steps: step('dispatch', (next) => async (c, proposal) => {
      const isChanged = proposal.board !== c.args.board || proposal.brief !== c.args.brief;
      return isChanged ? refusal('request_changed', 'This is not what was confirmed.') : next(c, proposal);
    }),
  },
  'dispatch-without-working-in': {
    steps: onAnswer('dispatch', ({ body }) => {
      delete body.working_in;
    }),
  },
  'open-proposals-limited': {
    steps: declinesProposal('too_many_open_proposals', ({ world, key, now }) => {
      const oldest = now - world.settings.lifetimeMinutes * 60_000;
      const own = [...world.proposals.values()].filter(({ account }) => account === key.account);
      return own.filter(({ used, issued }) => !used && issued > oldest).length >= 12;
    }),
  },
  'fifteen-images-a-day': { steps: declinesAfter(40, 'daily_limit', (c) => (proposes(c) ? 'any' : undefined)) },
  'one-confirmation-at-a-time': {
    steps: crowded(
      1,
      (c) => (generates(c) && c.args.confirmation_id !== undefined ? String(c.args.confirmation_id) : undefined),
      () => pause(10),
    ),
  },
  'slow-images': {
    steps: all(
      onAnswer('propose', () => pause(250)),
      onAnswer('dispatch', () => pause(500)),
    ),
  },
  'images-off': { steps: declines('feature_off', generates) },
  'images-in-one-workspace': { steps: declines('feature_off', (c) => generates(c) && c.at.slug === 'pier') },
  'few-credits': { world: ({ credits }) => Object.assign(credits, { harbour: 4 }) },
  'no-credits-anywhere': { world: ({ credits }) => Object.assign(credits, { harbour: 0, meadow: 0 }) },
  'credits-with-fractions': { settings: { price: 0.37 } },
  'balance-never-changes': { settings: { price: 0 } },
  'balance-tells-more': {
    steps: onSuccess('credits.balance', (body) => Object.assign(body, { workspace: null, plan: 'large' })),
  },
  'others-spend': {
    steps: step('run', (next) => {
      let reads = 0;
      return (c) => {
        if (c.tool === 'credits.balance') reads += 1;
        if (reads % 5 === 4) c.world.credits.harbour -= 1;
        return next(c);
      };
    }),
  },
  'charged-later': {
    steps: afterCharge((pay, cost) => {
      pay(cost);
      setTimeout(pay, 150, -cost).unref();
    }),
  },
  'credits-given-back': { steps: afterCharge((pay, cost) => setTimeout(pay, 60, cost).unref()) },
  debts: {
    world: ({ credits }) => Object.assign(credits, { harbour: -12.5 }),
    steps: step('dispatch', (next) => async (c, proposal) => {
      c.world.credits[proposal.account] += 1000;
      const answer = await next(c, proposal);
      c.world.credits[proposal.account] -= 1000;
      return answer;
    }),
  },
  'empty-id-is-invalid-arguments': {
    steps: step('check', (next) => (c) => {
      const known = ['board', 'brief', 'count', 'shape', 'workspace', 'confirmation_id'];
      const extra = generates(c) ? Object.keys(c.args).filter((name) => !known.includes(name)) : [];
      return [...next(c), ...extra.map((path) => ({ path, message: 'is not known' }))];
    }),
  },
};
