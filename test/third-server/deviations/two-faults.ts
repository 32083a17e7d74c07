import { limits } from '../../../fixtures/contract/limits.ts';
import { boundary, confirmationInvalid } from '../answers.ts';
import type { Deviation } from '../deviation.ts';
import type { Call, Fields, Proposal } from '../model.ts';
import { second } from '../probe.ts';
import { around, type Steps } from '../steps.ts';

/** Confirms proposals that must be refused, if `lax` applies. */
export function confirms(lax: (call: Call, proposal: Proposal) => boolean): (steps: Steps) => void {
  return (steps) =>
    around(steps, 'live', (next) => (c, id) => {
      const proposal = c.world.proposals.get(id);
      return proposal !== undefined && lax(c, proposal) ? proposal : next(c, id);
    });
}

const { fresh, surelyDead } = limits.confirmation;
const failure = () => boundary(500, 'tenant_api.internal', 'Something went wrong.');

const withIssues =
  (least: number) =>
  (call: Call, answer: { body: unknown }): boolean =>
    call !== undefined && ((answer.body as { issues?: unknown[] }).issues?.length ?? 0) >= least;

const expired = ({ now, world }: Call, { issued }: Proposal): boolean =>
  now >= issued + world.settings.lifetimeMinutes * 60_000;

/** Deviations with two errors in one request: the first hides the second, or both together pass. */
export const byTwoFaults: Deviation[] = [
  {
    id: 'used-id-with-other-count-runs',
    sentence: 'A used id runs again when the count differs from what was confirmed.',
    breaks: ['confirmations.used-invalid', 'confirmations.used-stays-invalid'],
    steps: confirms((c, p) => p.used && p.count !== c.args.count && p.workspace === c.at.slug),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.confirm('primary', id);
      return (await p.confirm('primary', id, { count: 2 })).ok;
    },
  },
  {
    id: 'expired-id-with-other-brief-runs',
    sentence: 'An expired id is confirmed when the brief differs from the proposed one.',
    breaks: ['confirmations.expired-invalid', 'expiry.dead-late'],
    steps: confirms((c, p) => !p.used && expired(c, p) && p.brief !== c.args.brief && p.workspace === c.at.slug),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.advance(surelyDead + fresh);
      return (await p.confirm('primary', id, { brief: 'A blue kite' })).ok;
    },
  },
  {
    id: 'foreign-workspace-id-with-other-shape-runs',
    sentence: 'An id of another workspace is confirmed when the shape differs from the proposed one.',
    breaks: ['confirmations.other-workspace-invalid'],
    steps: confirms(
      (c, p) => !p.used && p.workspace !== c.at.slug && p.account === c.key.account && p.shape !== c.args.shape,
    ),
    probe: async (p) => (await p.confirm('primary', await p.proposed('primary', second), { shape: '4:5' })).ok,
  },
  {
    id: 'foreign-account-id-with-other-count-runs',
    sentence: 'An id of another account is confirmed when the count differs from the proposed one.',
    breaks: ['confirmations.other-account-invalid'],
    steps: confirms((c, p) => !p.used && p.account !== c.key.account && p.count !== c.args.count),
    probe: async (p) => (await p.confirm('primary', await p.proposed('otherAccount'), { count: 2 })).ok,
  },
  {
    id: 'two-issues-are-none',
    sentence: 'Where two fields are bad, `issues` is empty.',
    breaks: ['arguments.issues-listed', 'arguments.all-fields-named'],
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const answer = await next(c);
        const several = withIssues(2)(c, answer);
        return several ? { ...answer, body: { ...(answer.body as Fields), issues: [] } } : answer;
      }),
    probe: async (p) => (await p.call('primary', 'library.get', {})).text.includes('"issues":[]'),
  },
  {
    id: 'second-issue-left-out',
    sentence: 'Only the first bad field is listed.',
    breaks: ['arguments.all-fields-named'],
    steps: (s) =>
      around(s, 'check', (next) => (c) => {
        const issues = next(c);
        return issues.slice(0, 1);
      }),
    probe: async (p) => !(await p.call('primary', 'library.get', {})).text.includes('"id"'),
  },
  {
    id: 'bad-argument-in-unknown-workspace-fails',
    sentence: 'A bad argument in an unknown workspace is a 500.',
    breaks: ['envelopes.no-server-error', 'envelopes.described-status', 'arguments.anything-answered'],
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const answer = await next(c);
        const { workspace } = c.args ?? {};
        return withIssues(1)(c, answer) && typeof workspace === 'string' && !c.world.workspaces.has(workspace)
          ? failure()
          : answer;
      }),
    probe: async (p) => (await p.call('primary', 'library.get', { workspace: 'no-such-quay' })).status === 500,
  },
  {
    id: 'board-chooses-its-workspace',
    sentence: "Another account's workspace is reached when its own board is named with it.",
    breaks: ['image-proposals.workspace-unreachable-refused'],
    steps: (s) =>
      around(s, 'resolve', (next) => (c) => {
        const named = c.world.workspaces.get(String(c.args.workspace));
        const own = c.tool === 'images.generate' && named?.boards.includes(String(c.args.board));
        return own ? { slug: named?.slug ?? '', source: 'call-override' } : next(c);
      }),
    probe: async (p) => (await p.propose('primary', { workspace: 'barn', board: 'brd-91' })).ok,
  },
  {
    id: 'used-and-expired-proposes',
    sentence: 'A used id that is also expired counts as none: the call proposes anew.',
    breaks: ['confirmations.used-stays-invalid', 'confirmations.used-invalid', 'confirmations.expired-invalid'],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const used = c.world.proposals.get(String(c.args.confirmation_id));
        const gone = used?.used && expired(c, used) && used.workspace === c.at.slug;
        return c.tool === 'images.generate' && gone ? s.propose(c) : next(c);
      }),
    probe: async (p) => {
      const id = await p.proposed('primary');
      await p.confirm('primary', id);
      await p.advance(surelyDead + fresh);
      return (await p.confirm('primary', id)).ok;
    },
  },
  {
    id: 'empty-id-with-confirm-runs',
    sentence: 'An empty id together with `confirm: true` runs at once.',
    breaks: ['image-proposals.empty-id-never-confirms', 'image-proposals.no-argument-confirms'],
    steps: (s) => {
      around(s, 'check', (next) => (c) => (c.args.confirm === true && c.args.confirmation_id === '' ? [] : next(c)));
      around(s, 'run', (next) => async (c) => {
        if (c.tool !== 'images.generate' || c.args.confirmation_id !== '') return next(c);
        const id = String(((await s.propose(c)).body as Fields).confirmation_id);
        const made = c.world.proposals.get(id);
        return made === undefined ? confirmationInvalid() : s.dispatch(c, made);
      });
    },
    probe: async (p) => (await p.confirm('primary', '', { confirm: true })).body.status === 'dispatched',
  },
  {
    id: 'id-excuses-missing-brief-and-shape',
    sentence: 'With a live id the brief and the shape may be left out.',
    breaks: [
      'confirmations.request-missing-refused',
      'image-proposals.brief-missing-refused',
      'image-proposals.shape-missing-refused',
    ],
    steps: (s) =>
      around(s, 'check', (next) => (c) => {
        const { confirmation_id: id, board, brief, shape } = c.args;
        const excused = typeof id === 'string' && board !== undefined && brief === undefined && shape === undefined;
        return excused ? [] : next(c);
      }),
    probe: async (p) => {
      const confirmation_id = await p.proposed('primary');
      return (
        await p.call('primary', 'images.generate', { workspace: 'dock', board: 'brd-11', count: 1, confirmation_id })
      ).ok;
    },
  },
  {
    id: 'no-kind-and-no-id-is-404',
    sentence: '`library.get` with an unknown kind and an unknown id is a 404.',
    breaks: ['library.unknown-id-200', 'envelopes.outcome-is-200', 'library.unknown-id-refused'],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const kinds = c.world.workspaces.get(c.at?.slug)?.items.map(({ kind }) => kind) ?? [];
        if (c.tool !== 'library.get' || kinds.includes(String(c.args.kind))) return next(c);
        return boundary(404, 'tenant_api.not_found', 'There is no such item.');
      }),
    probe: async (p) =>
      (await p.call('primary', 'library.get', { workspace: 'dock', kind: 'film', id: 'none' })).status === 404,
  },
  {
    id: 'count-and-shape-both-changed-run-anew',
    sentence: 'When count and shape are changed together on the second call, the new ones run.',
    breaks: ['confirmations.changed-count', 'confirmations.changed-shape', 'confirmations.reply-as-confirmed'],
    steps: (s) =>
      around(s, 'dispatch', (next) => (c, proposal) => {
        const { count, shape } = c.args;
        if (count !== proposal.count && shape !== proposal.shape) {
          Object.assign(proposal, { count, shape });
        }
        return next(c, proposal);
      }),
    probe: async (p) => {
      const reply = await p.confirm('primary', await p.proposed('primary'), { count: 2, shape: '4:5' });
      return reply.body.count === 2;
    },
  },
  {
    id: 'ambiguous-with-bad-argument-fails',
    sentence: 'A bad argument of a key without a workspace is a 500.',
    breaks: ['envelopes.no-server-error', 'envelopes.described-status', 'arguments.anything-answered'],
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const answer = await next(c);
        const nowhere = c.key?.role === 'ambiguous' && c.args?.workspace === undefined;
        return nowhere && withIssues(1)(c, answer) ? failure() : answer;
      }),
    probe: async (p) => (await p.call('ambiguous', 'library.get', {})).status === 500,
  },
  {
    id: 'long-title-hides-unknown-property',
    sentence:
      'Of a title that is too long and an unknown property only the first is refused, under the name of neither.',
    breaks: ['arguments.all-fields-named'],
    steps: (s) =>
      around(s, 'check', (next) => (c) => {
        const issues = next(c);
        const both = c.tool === 'content.create_request' && issues.length > 1;
        return both ? [{ path: '', message: 'is not acceptable' }] : issues;
      }),
    probe: async (p) => {
      const reply = await p.create('primary', { title: 'x'.repeat(limits.title.most + 1), mood: 'calm' });
      return !reply.text.includes('title');
    },
  },
];
