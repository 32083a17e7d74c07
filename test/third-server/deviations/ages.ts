import { limits } from '../../../fixtures/contract/limits.ts';
import { counter, type Deviation } from '../deviation.ts';
import type { Call, Fields, Proposal } from '../model.ts';
import { second } from '../probe.ts';
import { around, type Steps } from '../steps.ts';

const { about, fresh, surelyAlive, surelyDead } = limits.confirmation;

/** Changes the lifetime of IDs, in minutes; undefined keeps the default. */
function lives(minutes: (call: Call, proposal: Proposal) => number | undefined): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'live', (next) => (c, id) => {
      const proposal = c.world.proposals.get(id);
      const life = proposal === undefined ? undefined : minutes(c, proposal);
      if (proposal === undefined || life === undefined) return next(c, id);
      if (proposal.used || proposal.account !== c.key.account || proposal.workspace !== c.at.slug) return undefined;
      return c.now < proposal.issued + life * 60_000 ? proposal : undefined;
    });
}

const dead = ['expiry.dead-late', 'confirmations.expired-invalid'] as const;

const aliveAfter =
  (minutes: number, where: Fields = {}): Deviation['probe'] =>
  async (p) => {
    const id = await p.proposed('primary', where);
    await p.advance(minutes);
    return (await p.confirm('primary', id, where)).ok;
  };

/**
 * Deviations around each age limit, and lifetimes that depend on counts, later proposals, failed attempts or an
 * advanced clock.
 */
export const byAge: Deviation[] = [
  {
    id: 'second-workspace-lives-an-hour',
    sentence: 'Ids of the second workspace live twice as long.',
    breaks: dead,
    steps: lives((_, { workspace }) => (workspace === 'pier' ? about * 2 : undefined)),
    probe: aliveAfter(surelyDead + fresh, second),
  },
  {
    id: 'larger-counts-live-longer',
    sentence: 'Ids for two or more images live twice as long.',
    breaks: dead,
    steps: lives((_, { count }) => (count >= 2 ? about * 2 : undefined)),
    probe: aliveAfter(surelyDead + fresh, { count: 2 }),
  },
  {
    id: 'larger-counts-live-shorter',
    sentence: 'Ids for two or more images live for three quarters of the minutes in which an id is alive.',
    breaks: ['expiry.alive-early'],
    steps: lives((_, { count }) => (count >= 2 ? surelyAlive * 0.75 : undefined)),
    probe: async (p) => !(await aliveAfter(surelyAlive - 1, { count: 2 })(p)),
  },
  {
    id: 'other-account-lives-longer',
    sentence: 'Ids of the second account do not expire.',
    breaks: dead,
    steps: lives((_, { account }) => (account === 'meadow' ? 10_000 : undefined)),
    probe: async (p) => {
      const id = await p.proposed('otherAccount');
      await p.advance(surelyDead + fresh);
      return (await p.confirm('otherAccount', id)).ok;
    },
  },
  {
    id: 'lives-again-after-an-hour',
    sentence:
      `Only the minutes of the clock are compared: ${about * 2 + 1} to ${about * 2 + 20} minutes after it was issued ` +
      'an id lives again.',
    breaks: dead,
    steps: lives((c, { issued }) => {
      const minutes = (c.now - issued) / 60_000;
      return minutes > about * 2 && minutes < about * 2 + 20 ? 1000 : undefined;
    }),
    probe: aliveAfter(about * 2 + 5),
  },
  {
    id: 'failed-attempt-renews',
    sentence: 'A presentation in another workspace begins the life of an id anew.',
    breaks: dead,
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const found = next(c, id);
        const proposal = c.world.proposals.get(id);
        const elsewhere = proposal?.workspace !== c.at.slug && proposal?.account === c.key.account;
        if (proposal !== undefined && elsewhere) proposal.issued = c.now;
        return found;
      }),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.advance(surelyAlive);
      await p.confirm('primary', id, second);
      await p.advance(surelyDead + 1 - surelyAlive);
      return (await p.confirm('primary', id)).ok;
    },
  },
  {
    id: 'later-proposal-renews',
    sentence: 'A later proposal on the same board begins the life of earlier ones anew.',
    breaks: dead,
    steps: (s) =>
      around(s, 'propose', (next) => (c) => {
        for (const one of c.world.proposals.values()) if (one.board === c.args.board) one.issued = c.now;
        return next(c);
      }),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.advance(surelyAlive);
      await p.proposed('primary');
      await p.advance(surelyDead + 1 - surelyAlive);
      return (await p.confirm('primary', id)).ok;
    },
  },
  {
    id: 'confirming-one-renews-others',
    sentence: 'A confirmation begins the life of all open ids of the key anew.',
    breaks: dead,
    steps: (s) =>
      around(s, 'dispatch', (next) => (c, proposal) => {
        for (const one of c.world.proposals.values()) if (one.key.role === c.key.role) one.issued = c.now;
        return next(c, proposal);
      }),
    probe: async (p) => {
      const [first, other] = [await p.proposed('primary'), await p.proposed('primary')];
      await p.advance(surelyAlive);
      await p.confirm('primary', other);
      await p.advance(surelyDead + 1 - surelyAlive);
      return (await p.confirm('primary', first)).ok;
    },
  },
  {
    id: 'three-failures-use-up',
    sentence: 'Three failed presentations use up an id.',
    breaks: ['confirmations.refusals-leave-open', 'confirmations.dispatched'],
    steps: (s) => {
      const count = counter();
      around(s, 'live', (next) => (c, id) => {
        const found = next(c, id);
        const proposal = c.world.proposals.get(id);
        if (found === undefined && proposal !== undefined && count(id) >= 3) proposal.used = true;
        return found;
      });
    },
    probe: async (p) => {
      const id = await p.proposed('primary');
      for (let attempt = 0; attempt < 3; attempt += 1) await p.confirm('primary', id, second);
      return !(await p.confirm('primary', id)).ok;
    },
  },
  {
    id: 'stranger-uses-up',
    sentence: 'A presentation by another account uses up an id.',
    breaks: ['confirmations.refusals-leave-open', 'confirmations.dispatched', 'confirmations.others-leave-open'],
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const proposal = c.world.proposals.get(id);
        if (proposal !== undefined && proposal.account !== c.key.account) proposal.used = true;
        return next(c, id);
      }),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.confirm('otherAccount', id);
      return !(await p.confirm('primary', id)).ok;
    },
  },
  {
    id: 'only-last-four-are-kept',
    sentence: 'Only the last four proposals of a key are kept.',
    breaks: ['confirmations.others-leave-open', 'confirmations.dispatched', 'expiry.alive-early'],
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const own = [...c.world.proposals.values()].filter(({ key }) => key.role === c.key.role).slice(-4);
        const found = next(c, id);
        return found === undefined || own.includes(found) || found.key.role !== c.key.role ? found : undefined;
      }),
    probe: async (p) => {
      const id = await p.proposed('primary');
      for (let more = 0; more < 4; more += 1) await p.proposed('primary');
      return !(await p.confirm('primary', id)).ok;
    },
  },
  {
    id: 'fresh-after-expired-is-old',
    sentence: 'The proposal after an expired id was presented inherits its age.',
    breaks: ['confirmations.recovery', 'confirmations.dispatched'],
    steps: (s) => {
      const aged = new Map<string, number>();
      around(s, 'live', (next) => (c, id) => {
        const proposal = c.world.proposals.get(id);
        const found = next(c, id);
        const expired = proposal !== undefined && !proposal.used && c.now - proposal.issued > about * 60_000;
        if (expired) aged.set(c.key.role, proposal.issued);
        return found;
      });
      around(s, 'propose', (next) => async (c) => {
        const answer = await next(c);
        const issued = aged.get(c.key.role);
        const made = c.world.proposals.get(String((answer.body as Fields).confirmation_id));
        if (issued !== undefined && made !== undefined) made.issued = issued;
        aged.delete(c.key.role);
        return answer;
      });
    },
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.advance(surelyDead + fresh);
      await p.confirm('primary', id);
      return !(await p.confirm('primary', await p.proposed('primary'))).ok;
    },
  },
  {
    id: 'purged-id-proposes',
    sentence: 'Two hours after it was issued an id is forgotten, and presenting it proposes anew.',
    breaks: [...dead, 'confirmations.never-issued-invalid'],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const proposal = c.world.proposals.get(String(c.args.confirmation_id));
        const purged = proposal !== undefined && c.now - proposal.issued > 7_200_000;
        return c.tool === 'images.generate' && purged ? s.propose(c) : next(c);
      }),
    probe: aliveAfter(150),
  },
];
