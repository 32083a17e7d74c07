import { limits } from '../../../fixtures/contract/limits.ts';
import { invalidArguments, refusal } from '../answers.ts';
import { all, type Change, declines } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
import type { Call, Fields } from '../model.ts';
import { around, isAnswer, step } from '../steps.ts';
import { digits } from '../world.ts';

const { surelyAlive, surelyDead } = limits.confirmation;

const images = ({ tool }: Call): boolean => tool === 'images.generate';
const proposes = (c: Call): boolean => images(c) && c.args.confirmation_id === undefined;
const brief = ({ args }: Call): string => String(args.brief ?? '');

/** Refuses IDs with another form than the issued ones as invalid arguments. */
function form(pattern: RegExp): Change {
  return step('check', (next) => (c) => {
    const id = c.args.confirmation_id;
    const other = images(c) && typeof id === 'string' && !pattern.test(id);
    return other ? [...next(c), { path: 'confirmation_id', message: 'has another form' }] : next(c);
  });
}

const uuid = (serial: number): string => {
  const hex = digits(`uuid ${serial}`, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

const changed = ['board', 'brief', 'count', 'shape'] as const;

/** Deployments with other limits of briefs, counts and shapes, other forms and lifetimes of IDs, and other refusals. */
/** Services that accept only one of the kit's briefs leave no other brief to confirm with. */
const _oneBrief = ['confirmations.changed-brief'];

export const imageDeployments: Deployment[] = [
  {
    id: 'brief-at-least-200',
    sentence: 'Briefs have 200 characters or more.',
    settings: { brief: [200, 4000] },
  },
  {
    id: 'brief-at-most-12',
    sentence: 'Briefs have at most 12 characters.',
    settings: { brief: [1, 12] },
  },
  {
    id: 'brief-of-six-words',
    sentence: 'Briefs of fewer than six words are declined as too vague.',
    steps: declines('brief_too_vague', (c) => proposes(c) && brief(c).trim().split(/\s+/).length < 6),
  },
  {
    id: 'brief-without-digits',
    sentence: 'Briefs with digits are declined by moderation.',
    steps: declines('moderation', (c) => proposes(c) && /\d/.test(brief(c))),
  },
  {
    id: 'counts-even',
    sentence: 'Images come in twos.',
    settings: { counts: [2, 4] },
    target: () => ({ maxImages: 60 }),
  },
  {
    id: 'count-one',
    sentence: 'One image at a time.',
    settings: { counts: [1] },
  },
  {
    id: 'counts-from-three',
    sentence: 'At least three images at a time.',
    settings: { counts: [3, 4, 5, 6] },
    target: () => ({ maxImages: 90 }),
  },
  {
    id: 'shape-wide-only',
    sentence: 'The shape 16:9 is the only one, and was not configured.',
    settings: { shapes: ['16:9'] },
    target: ({ world }) => (world.settings.shapes.length === 1 ? { shape: '16:9' } : {}),
  },
  {
    id: 'id-of-six-digits',
    sentence: 'Ids are six digits; others are invalid arguments.',
    settings: { confirmationId: (serial) => String(100_000 + ((serial * 7919) % 899_999)) },
    steps: form(/^\d{6}$/),
  },
  {
    id: 'id-uuid',
    sentence: 'Ids are UUIDs; others are invalid arguments.',
    settings: { confirmationId: uuid },
    steps: form(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  },
  {
    id: 'id-of-900-letters',
    sentence: 'Ids are 900 characters long.',
    settings: {
      confirmationId: (serial) => Array.from({ length: 9 }, (_, part) => digits(`${serial} ${part}`, 100)).join(''),
    },
  },
  {
    id: 'id-in-base64',
    sentence: 'Ids are written in base 64, with padding.',
    settings: { confirmationId: (serial) => Buffer.from(digits(`b ${serial}`, 20)).toString('base64') },
    steps: form(/^[A-Za-z0-9+/]+=*$/),
  },
  { id: 'short-lifetime', sentence: 'Ids live for a short time.', settings: { lifetimeMinutes: surelyAlive + 2 } },
  { id: 'long-lifetime', sentence: 'Ids live for a long time.', settings: { lifetimeMinutes: surelyDead - 2 } },
  {
    id: 'changes-refused',
    sentence: 'A second call with another board or brief is refused.',
    steps: step(
      'dispatch',
      (next) => async (c, proposal) =>
        proposal.board !== c.args.board || proposal.brief !== c.args.brief
          ? refusal('request_changed', 'This is not what was confirmed.')
          : next(c, proposal),
    ),
  },
  {
    id: 'dispatch-without-working-in',
    sentence: 'A dispatched reply has no `working_in`.',
    steps: step('dispatch', (next) => async (c, proposal) => {
      const { body, ...answer } = await next(c, proposal);
      const { working_in: _, ...rest } = body as Fields;
      return { ...answer, body: rest };
    }),
  },
  {
    id: 'open-proposals-limited',
    sentence: 'An account has at most 12 open proposals.',
    steps: (s) =>
      declines('too_many_open_proposals', (c) => {
        const life = c.world.settings.lifetimeMinutes * 60_000;
        const open = [...c.world.proposals.values()].filter(
          (one) => one.account === c.key.account && !one.used && c.now < one.issued + life,
        );
        return proposes(c) && open.length >= 12;
      })(s),
  },
  {
    id: 'images-off',
    sentence: 'Images are not part of the plan.',
    steps: declines('feature_off', images),
  },
  {
    id: 'few-credits',
    sentence: 'The account has four credits.',
    world: (world) => void world.credits.set('harbour', 4),
  },
  {
    id: 'credits-with-fractions',
    sentence: 'An image costs 0.37 credits.',
    settings: { price: 0.37 },
  },
  {
    id: 'others-spend',
    sentence: 'Somebody else spends a credit now and then.',
    steps: (s) => {
      let reads = 0;
      around(s, 'run', (next) => (c) => {
        reads += c.tool === 'credits.balance' ? 1 : 0;
        if (reads % 5 === 4) c.world.credits.set('harbour', (c.world.credits.get('harbour') ?? 0) - 1);
        return next(c);
      });
    },
  },
  {
    id: 'empty-id-is-invalid-arguments',
    sentence: 'An id that is empty or null is an invalid argument, and unknown properties are too.',
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
];
