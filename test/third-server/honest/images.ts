import { invalidArguments, refusal } from '../answers.ts';
import { all, type Change, declines } from '../changes.ts';
import type { Deployments } from '../deployment.ts';
import type { Call, Fields } from '../model.ts';
import { around, isAnswer, step } from '../steps.ts';
import { digits } from '../world.ts';

const images = ({ tool }: Call): boolean => tool === 'images.generate';
const proposes = (c: Call): boolean => images(c) && c.args.confirmation_id === undefined;
const brief = ({ args }: Call): string => String(args.brief ?? '');

/** Refuses IDs with another form than the issued ones as invalid arguments. */
export function idsOfForm(pattern: RegExp): Change {
  return step('check', (next) => (c) => {
    const id = c.args.confirmation_id;
    const other = images(c) && typeof id === 'string' && !pattern.test(id);
    return other ? [...next(c), { path: 'confirmation_id', message: 'has another form' }] : next(c);
  });
}

const changed = ['board', 'brief', 'count', 'shape'] as const;

/** Deployments with other limits of briefs, counts and shapes, other forms and lifetimes of IDs, and other refusals. */
export const imageDeployments: Deployments = {
  'brief-at-least-200': { settings: { brief: [200, 4000] } },
  'brief-at-most-12': { settings: { brief: [1, 12] } },
  'brief-of-six-words': {
    steps: declines('brief_too_vague', (c) => proposes(c) && brief(c).trim().split(/\s+/).length < 6),
  },
  'brief-without-digits': { steps: declines('moderation', (c) => proposes(c) && /\d/.test(brief(c))) },
  'counts-even': { settings: { counts: [2, 4] }, target: () => ({ maxImages: 60 }) },
  'count-one': { settings: { counts: [1] } },
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
  'changes-refused': {
    steps: step(
      'dispatch',
      (next) => async (c, proposal) =>
        proposal.board !== c.args.board || proposal.brief !== c.args.brief
          ? refusal('request_changed', 'This is not what was confirmed.')
          : next(c, proposal),
    ),
  },
  'dispatch-without-working-in': {
    steps: step('dispatch', (next) => async (c, proposal) => {
      const { body, ...answer } = await next(c, proposal);
      const { working_in: _, ...rest } = body as Fields;
      return { ...answer, body: rest };
    }),
  },
  'open-proposals-limited': {
    steps: (s) =>
      declines('too_many_open_proposals', (c) => {
        const life = c.world.settings.lifetimeMinutes * 60_000;
        const open = [...c.world.proposals.values()].filter(
          (one) => one.account === c.key.account && !one.used && c.now < one.issued + life,
        );
        return proposes(c) && open.length >= 12;
      })(s),
  },
  'images-off': { steps: declines('feature_off', images) },
  'few-credits': { world: (world) => void world.credits.set('harbour', 4) },
  'credits-with-fractions': { settings: { price: 0.37 } },
  'others-spend': {
    steps: (s) => {
      let reads = 0;
      around(s, 'run', (next) => (c) => {
        reads += c.tool === 'credits.balance' ? 1 : 0;
        if (reads % 5 === 4) c.world.credits.set('harbour', (c.world.credits.get('harbour') ?? 0) - 1);
        return next(c);
      });
    },
  },
  'empty-id-is-invalid-arguments': {
    steps: all(
      step('parse', (next) => (c) => {
        const args = next(c);
        const known = [...changed, 'workspace', 'confirmation_id'] as string[];
        const extra =
          images(c) && !isAnswer(args) ? Object.keys(args).find((name) => !known.includes(name)) : undefined;
        return extra === undefined ? args : invalidArguments([{ path: extra, message: 'is not known' }]);
      }),
    ),
  },
};
