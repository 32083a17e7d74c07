import { limits } from '../../../fixtures/contract/limits.ts';
import { confirmationInvalid } from '../answers.ts';
import type { Change } from '../changes.ts';
import { confirms } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Call, Fields, Json, Proposal } from '../model.ts';
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

/** Proposes and confirms a request without an ID at once, if `trigger` applies. */
function atOnce(trigger: (call: Call) => boolean): Change {
  return (steps) =>
    around(steps, 'propose', (next) => async (c) => {
      const answer = await next(c);
      const made = c.world.proposals.get(String((answer.body as Fields).confirmation_id));
      return made !== undefined && trigger(c) ? steps.dispatch(c, made) : answer;
    });
}

/** Takes the ID from another place if the request has none. */
function idFrom(place: (call: Call) => Json | undefined): Change {
  return step('run', (next) => async (c) => {
    const id = c.tool === 'images.generate' && c.args.confirmation_id === undefined ? place(c) : undefined;
    return next(typeof id === 'string' ? { ...c, args: { ...c.args, confirmation_id: id } } : c);
  });
}

/** Accepts IDs that are written differently. */
function readsId(read: (id: Json) => Json | undefined): Change {
  return step('check', (next) => (c) => {
    const id = c.args.confirmation_id;
    if (c.tool === 'images.generate' && id !== undefined) c.args.confirmation_id = read(id) ?? id;
    return next(c);
  });
}

/** Deviations of ages and limits, with headers and arguments that execute proposals, and with changed confirmations. */
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
  },
  'The header x-auto-approve runs a proposal at once': {
    breaks: ['image-proposals.no-header-confirms'],
    steps: atOnce(({ headers }) => /^(1|true|yes)$/.test(headers['x-auto-approve'] ?? '')),
  },
  'A live id in the query parameter confirmation_id confirms': {
    breaks: ['image-proposals.no-query-parameter-confirms'],
    steps: idFrom((c) => c.query.get('confirmation_id') ?? undefined),
  },
  'The argument approved_by runs a proposal at once': {
    breaks: ['image-proposals.no-argument-confirms'],
    steps: atOnce(({ args }) => typeof args.approved_by === 'string'),
  },
  'White space around an id is dropped': {
    breaks: ['image-proposals.near-miss-id-never-confirms'],
    steps: readsId((id) => (typeof id === 'string' ? id.trim() : undefined)),
  },
  'Of an id only the first 20 characters are compared': {
    breaks: ['image-proposals.near-miss-id-never-confirms', 'confirmations.never-issued-invalid'],
    steps: step('live', (next) => (c, id) => {
      const alike = [...c.world.proposals.keys()].find((one) => one.slice(0, 20) === id.slice(0, 20));
      return next(c, alike ?? id);
    }),
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
  'An empty id together with confirm: true runs at once': {
    breaks: ['image-proposals.empty-id-never-confirms'],
    steps: (s) => {
      around(s, 'check', (next) => (c) => (c.args.confirm === true && c.args.confirmation_id === '' ? [] : next(c)));
      around(s, 'run', (next) => async (c) => {
        if (c.tool !== 'images.generate' || c.args.confirmation_id !== '') return next(c);
        const id = String(((await s.propose(c)).body as Fields).confirmation_id);
        const made = c.world.proposals.get(id);
        return made === undefined ? confirmationInvalid() : s.dispatch(c, made);
      });
    },
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
