import { limits } from '../../../fixtures/contract/limits.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { boundary, refusal } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Answer, Call, Fields, Proposal } from '../model.ts';
import { second } from '../probe.ts';
import { around } from '../steps.ts';
import { inFlight } from './in-flight.ts';
import { confirms } from './two-faults.ts';

const { about, fresh, surelyAlive, surelyDead } = limits.confirmation;
const shortLife = surelyAlive * 0.75;
const gone = about * 2 + 10;
const create = 'content.create_request';
const failure = (): Answer => boundary(500, 'tenant_api.internal', 'Something went wrong.');
const expired = (c: Call, { issued }: Proposal): boolean => c.now >= issued + c.world.settings.lifetimeMinutes * 60_000;

/** Further deviations of ages. */
export const furtherAges: Deviation[] = [
  {
    id: 'used-id-runs-again-when-expired',
    sentence: 'What an id was used for is forgotten with its expiry: then it runs again.',
    breaks: ['confirmations.used-stays-invalid', 'confirmations.used-invalid', 'confirmations.expired-invalid'],
    steps: confirms(
      (c, one) => one.used && expired(c, one) && one.account === c.key.account && one.workspace === c.at.slug,
    ),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.confirm('primary', id);
      await p.advance(surelyDead + fresh);
      return (await p.confirm('primary', id)).ok;
    },
  },
  {
    id: 'wide-images-never-expire',
    sentence: 'Ids for wide images do not expire.',
    breaks: ['expiry.dead-late', 'confirmations.expired-invalid'],
    steps: confirms(
      (c, one) => !one.used && one.shape === '16:9' && one.account === c.key.account && one.workspace === c.at.slug,
    ),
    probe: async (p) => {
      const id = await p.proposed('primary', { shape: '16:9' });
      await p.advance(surelyDead + fresh);
      return (await p.confirm('primary', id, { shape: '16:9' })).ok;
    },
  },
  {
    id: 'lives-for-a-quarter-after-others',
    sentence: `With more than three open ids of a key, they live for ${shortLife} minutes.`,
    breaks: ['expiry.alive-early'],
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const found = next(c, id);
        const open = [...c.world.proposals.values()].filter(
          (one) => !one.used && one.key === c.key && !expired(c, one),
        );
        return found !== undefined && open.length > 3 && c.now >= found.issued + shortLife * 60_000 ? undefined : found;
      }),
    probe: async (p) => {
      const ids = [];
      for (let count = 0; count < 5; count += 1) ids.push(await p.proposed('primary'));
      await p.advance(surelyAlive - 2);
      return !(await p.confirm('primary', ids[0] ?? '')).ok;
    },
  },
  {
    id: 'expired-id-is-gone-after-an-hour',
    sentence: `More than ${gone} minutes after its issue an id is answered with another code.`,
    breaks: [
      'confirmations.expired-invalid',
      'confirmations.expired-like-never-issued',
      'confirmations.used-stays-invalid',
    ],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const one = c.world.proposals.get(String(c.args.confirmation_id));
        return one !== undefined && c.now > one.issued + gone * 60_000 ? refusal('gone', 'It is gone.') : next(c);
      }),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.advance(gone + 10);
      return (await p.confirm('primary', id)).code === 'gone';
    },
  },
  {
    id: 'second-workspace-expires-early',
    sentence: `Ids of the second workspace live for ${shortLife} minutes.`,
    breaks: ['expiry.alive-early'],
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const found = next(c, id);
        return found?.workspace === 'pier' && c.now >= found.issued + shortLife * 60_000 ? undefined : found;
      }),
    probe: async (p) => {
      const id = await p.proposed('primary', second);
      await p.advance(surelyAlive - 2);
      return !(await p.confirm('primary', id, second)).ok;
    },
  },
];

/** A deviation that executes proposals at once if `trigger` applies. */
function runs(
  id: string,
  sentence: string,
  breaks: RequirementId,
  trigger: (c: Call) => boolean,
  more: Fields,
  extra: { headers?: Record<string, string>; query?: string } = {},
): Deviation {
  return {
    id,
    sentence,
    breaks: [breaks],
    steps: (s) =>
      around(s, 'propose', (next) => async (c) => {
        const answer = await next(c);
        const made = c.world.proposals.get(String((answer.body as Fields).confirmation_id));
        return made !== undefined && trigger(c) ? s.dispatch(c, made) : answer;
      }),
    probe: async (p) => (await p.propose('primary', more, extra)).body.status === 'dispatched',
  };
}

/** Further headers and arguments that execute proposals. */
export const furtherExecutions: Deviation[] = [
  runs(
    'query-approve',
    'The query parameter `approve` or `approved` runs a proposal at once.',
    'image-proposals.no-query-parameter-confirms',
    ({ query }) => query.has('approve') || query.has('approved'),
    {},
    { query: '?approve=true' },
  ),
  runs(
    'query-dry-run-off',
    'The query parameter `dry_run=false` runs a proposal at once.',
    'image-proposals.no-query-parameter-confirms',
    ({ query }) => /^(false|0)$/.test(query.get('dry_run') ?? ''),
    {},
    { query: '?dry_run=false' },
  ),
];

const together = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

/** Further deviations of concurrent requests. */
export const furtherParallel: Deviation[] = [
  {
    id: 'simultaneous-creates-share-workspace',
    sentence: 'Simultaneous content requests land in the workspace of the last one.',
    breaks: [
      'content-requests.works-in-named-workspace',
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
    ],
    steps: (s) =>
      inFlight(
        s,
        ({ tool, key }) => (tool === create ? key.account : undefined),
        (calls, own, answer) => {
          own.at = calls.at(-1)?.at ?? own.at;
          return answer();
        },
      ),
    probe: async (p) => {
      const replies = await together(4, (index) =>
        p.create('primary', { workspace: index % 2 === 0 ? 'dock' : 'pier' }),
      );
      return replies.some(({ body }, index) => body.workspace !== (index % 2 === 0 ? 'dock' : 'pier'));
    },
  },
  {
    id: 'simultaneous-searches-share-items',
    sentence: 'Simultaneous searches of different words get the items of the last one.',
    breaks: [
      'library.search-answers',
      'library.found-can-be-got',
      'library.total-covers-items',
      'workspaces.argument-honoured',
      'workspaces.argument-honoured-every-tool',
    ],
    steps: (s) =>
      inFlight(
        s,
        ({ tool, key }) => (tool === 'library.search' ? key.account : undefined),
        (calls, own, answer) => {
          own.at = calls.at(-1)?.at ?? own.at;
          return answer();
        },
      ),
    probe: async (p) => {
      const replies = await together(4, (index) =>
        p.call('primary', 'library.search', { query: '', workspace: index % 2 === 0 ? 'dock' : 'pier' }),
      );
      return replies.some(({ body }, index) => body.workspace !== (index % 2 === 0 ? 'dock' : 'pier'));
    },
  },
  {
    id: 'simultaneous-unknown-tools-fail',
    sentence: 'More than two simultaneous requests for tools that do not exist are a 500.',
    breaks: ['envelopes.no-server-error', 'unknown-tools.unknown-404', 'unknown-tools.near-misses-404'],
    steps: (s) => {
      let open = 0;
      around(s, 'handle', (next) => async (c) => {
        if (s.recognise(c) !== undefined) return next(c);
        open += 1;
        await new Promise((resolve) => setTimeout(resolve, 15));
        const many = open > 2;
        open -= 1;
        return many ? failure() : next(c);
      });
    },
    probe: async (p) =>
      (await together(4, (index) => p.call('primary', `no.tool${index}`, {}))).some(({ status }) => status === 500),
  },
  {
    id: 'simultaneous-balance-of-others',
    sentence: 'Simultaneous readings of the balance tell that of the key that asked last.',
    breaks: ['credits.one-balance', 'credits.balance'],
    steps: (s) =>
      inFlight(
        s,
        ({ tool }) => (tool === 'credits.balance' ? 'balance' : undefined),
        (calls, own, answer) => {
          own.key = calls.at(-1)?.key ?? own.key;
          return answer();
        },
      ),
    probe: async (p) => {
      const [ours] = await Promise.all([
        p.call('primary', 'credits.balance', {}),
        p.call('otherAccount', 'credits.balance', {}),
      ]);
      return ours.body.balance === 90;
    },
  },
];
