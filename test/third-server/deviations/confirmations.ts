import { limits } from '../../../fixtures/contract/limits.ts';
import { type Change, confirms, onAnswer } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Call, Proposal } from '../model.ts';
import { around, step } from '../steps.ts';

const { about } = limits.confirmation;
const expired = (c: Call, { issued }: Proposal): boolean => c.now >= issued + c.world.settings.lifetimeMinutes * 60_000;

/** Changes the lifetime of IDs, in minutes; undefined keeps the default. */
function lives(minutes: (call: Call, proposal: Proposal) => number | undefined): Change {
  return step('live', (next) => (c, id) => {
    const proposal = c.world.proposals.get(id);
    const life = proposal === undefined ? undefined : minutes(c, proposal);
    if (proposal === undefined || life === undefined) return next(c, id);
    if (proposal.used || proposal.account !== c.key.account || proposal.workspace !== c.at.slug) return undefined;
    return c.now < proposal.issued + life * 60_000 ? proposal : undefined;
  });
}

/** Deviations of ages and limits, and of changed confirmations. */
export const confirmations = {
  'Ids of the second workspace live twice as long': {
    breaks: ['expiry.dead-late', 'confirmations.expired-invalid'],
    steps: lives((_, { workspace }) => (workspace === 'pier' ? about * 2 : undefined)),
  },
  'A presentation by another account uses up an id': {
    breaks: ['confirmations.refusals-leave-open'],
    steps: step('live', (next) => (c, id) => {
      const proposal = c.world.proposals.get(id);
      if (proposal !== undefined && proposal.account !== c.key.account) proposal.used = true;
      return next(c, id);
    }),
  },
  'The proposal after an expired id was presented inherits its age': {
    breaks: ['confirmations.recovery', 'confirmations.dispatched'],
    steps: (s) => {
      const aged = new Map<string, number>();
      around(s, 'live', (next) => (c, id) => {
        const proposal = c.world.proposals.get(id);
        if (proposal !== undefined && !proposal.used && expired(c, proposal)) aged.set(c.key.role, proposal.issued);
        return next(c, id);
      });
      onAnswer('propose', ({ body }, { world, key }) => {
        const made = world.proposals.get(String(body.confirmation_id));
        if (made !== undefined) made.issued = aged.get(key.role) ?? made.issued;
        aged.delete(key.role);
      })(s);
    },
  },
  'What an id was used for is forgotten with its expiry: then it runs again': {
    breaks: ['confirmations.used-stays-invalid'],
    steps: confirms(
      (c, one) => one.used && expired(c, one) && one.account === c.key.account && one.workspace === c.at.slug,
    ),
  },
  'In the last second of a window the seconds to wait are 0': {
    breaks: ['rate-limit.retry-after-header', 'rate-limit.retry-after-body', 'rate-limit.served-after-waiting'],
    steps: step('wait', (next) => (c) => {
      const seconds = next(c);
      return seconds === 1 ? 0 : seconds;
    }),
  },
  'Requests are counted for each family of tools, by the name before the dot': {
    breaks: ['rate-limit.spans-tools'],
    steps: step('wait', (next) => (c) => {
      const family = c.tool.split('.')[0];
      return next({ ...c, key: { ...c.key, secret: `${c.key.secret} ${family}` } });
    }),
  },
  'An id of another account is confirmed when the count differs from the proposed one': {
    breaks: ['confirmations.other-account-invalid'],
    steps: confirms((c, p) => !p.used && p.account !== c.key.account && p.count !== c.args.count),
  },
  'With a live id the brief and the shape may be left out': {
    breaks: ['confirmations.request-missing-refused'],
    steps: step('check', (next) => (c) => {
      const { confirmation_id: id, board, brief, shape } = c.args;
      const excused = typeof id === 'string' && board !== undefined && brief === undefined && shape === undefined;
      return excused ? [] : next(c);
    }),
  },
} satisfies Deviations;
