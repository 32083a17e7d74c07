import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { type Deviation, workingIn } from '../deviation.ts';
import type { Fields } from '../model.ts';
import { second } from '../probe.ts';
import { around, isAnswer, type Steps } from '../steps.ts';

/** Keeps the workspace of a tool's last successful request for later requests that name no workspace. */
function sticky(steps: Steps, tool: string, source: string, sticks: (role: string) => boolean): void {
  const last = new Map<string, string>();
  around(steps, 'resolve', (next) => (c) => {
    const found = next(c);
    const stuck = last.get(c.key.role);
    if (c.args.workspace === undefined && stuck !== undefined) return { slug: stuck, source };
    if (!isAnswer(found) && c.tool === tool && sticks(c.key.role)) last.set(c.key.role, found.slug);
    return found;
  });
}

const list = { workspace: 'pier', query: '' };

/** Deviations that depend on the workspace, or on switching between workspaces. */
export const byWorkspace: Deviation[] = [
  {
    id: 'proposal-sticks-for-defaulted',
    sentence: 'After a proposal in a named workspace a key with a default works there.',
    breaks: [
      'workspaces.source-stored-default',
      'confirmations.unnamed-workspace',
      'content-requests.source-of-each-rung',
      'image-proposals.works-without-argument',
    ],
    steps: (s) => sticky(s, 'images.generate', 'stored-default', (role) => role === 'defaulted'),
    probe: async (p) => {
      await p.propose('defaulted', second);
      return (await p.call('defaulted', 'schedule.read')).body.workspace === 'pier';
    },
  },
  {
    id: 'get-sticks-for-pinned',
    sentence: 'After `library.get` in a named workspace a pinned key works there.',
    breaks: ['workspaces.source-key-pin', 'content-requests.source-of-each-rung', 'confirmations.unnamed-workspace'],
    steps: (s) => sticky(s, 'library.get', 'key-pin', (role) => role === 'pinned'),
    probe: async (p) => {
      await p.call('pinned', 'library.get', { workspace: 'dock', kind: 'clip', id: '4000' });
      return (await p.call('pinned', 'schedule.read')).body.workspace === 'dock';
    },
  },
  {
    id: 'ambiguous-remembers-named',
    sentence: 'A key without default remembers the workspace that it named on `connections.status`.',
    breaks: [
      'workspaces.ambiguous-schedule-read',
      'workspaces.ambiguous-content-status',
      'workspaces.ambiguous-library-search',
      'workspaces.ambiguous-library-get',
      'workspaces.ambiguous-knowledge-search',
      'workspaces.ambiguous-connections-status',
      'workspaces.ambiguous-create-request',
      'workspaces.ambiguous-images-generate',
    ],
    steps: (s) => sticky(s, 'connections.status', 'stored-default', (role) => role === 'ambiguous'),
    probe: async (p) => {
      await p.call('ambiguous', 'connections.status', { workspace: 'pier' });
      return (await p.call('ambiguous', 'schedule.read')).ok;
    },
  },
  {
    id: 'second-workspace-takes-boards-of-first',
    sentence: 'In the second workspace boards of the first are found.',
    breaks: ['image-proposals.board-elsewhere-refused'],
    steps: (s) =>
      around(s, 'board', (next) => (c, id) => next(c, id) || (c.at.slug === 'pier' && id.startsWith('brd-1'))),
    probe: async (p) => (await p.propose('primary', { workspace: 'pier', board: 'brd-11' })).ok,
  },
  {
    id: 'create-after-create-stays',
    sentence: 'A content request right after one in another workspace runs in the earlier one.',
    breaks: [
      'content-requests.works-in-named-workspace',
      'workspaces.argument-honoured',
      'content-requests.working-in-complete',
    ],
    steps: (s) =>
      around(s, 'create', (next) => {
        let earlier: string | undefined;
        return (c) => {
          const asked = c.at.slug;
          if (earlier !== undefined && c.key.reach.includes(earlier)) c.at = { ...c.at, slug: earlier };
          earlier = asked;
          return next(c);
        };
      }),
    probe: async (p) => {
      await p.create('primary', { workspace: 'dock' });
      return (await p.create('primary', { workspace: 'pier' })).body.workspace === 'dock';
    },
  },
  {
    id: 'question-cached-across-workspaces',
    sentence: 'The same question in another workspace is answered from the cache of the first.',
    breaks: ['workspaces.argument-honoured', 'workspaces.argument-honoured-every-tool'],
    steps: (s) =>
      around(s, 'run', (next) => {
        const cache = new Map<string, Awaited<ReturnType<Steps['run']>>>();
        return async (c) => {
          if (c.tool !== 'knowledge.search') return next(c);
          const name = JSON.stringify([c.key.account, c.args.query]);
          const answer = cache.get(name) ?? (await next(c));
          cache.set(name, answer);
          return answer;
        };
      }),
    probe: async (p) => {
      await p.call('primary', 'knowledge.search', { workspace: 'dock', query: 'tone of voice?' });
      const again = await p.call('primary', 'knowledge.search', { workspace: 'pier', query: 'tone of voice?' });
      return again.body.workspace === 'dock';
    },
  },
  {
    id: 'get-in-second-names-default',
    sentence: 'In the second workspace `working_in` of `library.get` names the first.',
    breaks: ['workspaces.working-in-agrees'],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const answer = await next(c);
        const { ok, working_in } = answer.body as Fields;
        if (c.tool === 'library.get' && ok === true) Object.assign(working_in as Fields, { workspace: 'dock' });
        return answer;
      }),
    probe: async (p) => {
      const found = await p.call('primary', 'library.get', { workspace: 'pier', kind: 'clip', id: '4000' });
      return workingIn(found).workspace !== found.body.workspace;
    },
  },
  {
    id: 'choices-hold-an-archived-one',
    sentence: `The choices of ${quoted.workspaceAmbiguous} hold a workspace that was archived.`,
    breaks: ['workspaces.ambiguous-choices-work'],
    steps: (s) =>
      around(s, 'handle', (next) => async (c) => {
        const answer = await next(c);
        const body = answer.body as Fields;
        if (body.code === refusalCodes.workspaceAmbiguous) body.workspaces = ['dock', 'pier', 'mole-archived'];
        return answer;
      }),
    probe: async (p) => (await p.call('ambiguous', 'schedule.read')).text.includes('mole-archived'),
  },
  {
    id: 'ids-of-second-confirmed-in-first',
    sentence: 'Ids that were issued in the second workspace can be confirmed in the first, but not the other way.',
    breaks: ['confirmations.other-workspace-invalid', 'confirmations.other-workspace-like-never-issued'],
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const found = c.world.proposals.get(id);
        const lax =
          found?.workspace === 'pier' && c.at.slug === 'dock' && !found.used && found.account === c.key.account;
        return lax ? found : next(c, id);
      }),
    probe: async (p) => (await p.confirm('primary', await p.proposed('primary', second))).ok,
  },
  {
    id: 'ids-of-first-confirmed-in-second',
    sentence: 'Ids that were issued in the first workspace can be confirmed in the second, but not the other way.',
    breaks: ['confirmations.other-workspace-invalid', 'confirmations.other-workspace-like-never-issued'],
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const found = c.world.proposals.get(id);
        const lax =
          found?.workspace === 'dock' && c.at.slug === 'pier' && !found.used && found.account === c.key.account;
        return lax ? found : next(c, id);
      }),
    probe: async (p) => (await p.confirm('primary', await p.proposed('primary'), second)).ok,
  },
  {
    id: 'naming-the-default-is-default',
    sentence: 'Naming the default workspace gives the source `stored-default`.',
    breaks: ['workspaces.source-call-override'],
    steps: (s) =>
      around(s, 'resolve', (next) => (c) => {
        const found = next(c);
        const usual = !isAnswer(found) && c.key.role === 'defaulted' && found.slug === c.key.fallback;
        return usual ? { ...found, source: 'stored-default' } : found;
      }),
    probe: async (p) =>
      workingIn(await p.call('defaulted', 'schedule.read', { workspace: 'dock' })).source === 'stored-default',
  },
  {
    id: 'named-proposal-needs-named-confirmation',
    sentence: 'A key with one workspace cannot confirm without naming it what it proposed naming it.',
    breaks: ['confirmations.unnamed-workspace'],
    steps: (s) => {
      const named = new Set<string>();
      around(s, 'propose', (next) => async (c) => {
        const answer = await next(c);
        if (c.args.workspace !== undefined) named.add(String((answer.body as Fields).confirmation_id));
        return answer;
      });
      around(s, 'live', (next) => (c, id) => {
        const unnamed = c.args.workspace === undefined && c.key.role === 'sole';
        return unnamed && named.has(id) ? undefined : next(c, id);
      });
    },
    probe: async (p) => {
      const confirmation_id = await p.proposed('sole');
      return (await p.proposeUnnamed('sole', { confirmation_id })).code === refusalCodes.confirmationInvalid;
    },
  },
  {
    id: 'search-in-second-shows-item-of-first',
    sentence: 'A search in the second workspace also finds an item of the first, which cannot be fetched there.',
    breaks: ['library.found-can-be-got'],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const answer = await next(c);
        const foreign = c.world.workspaces.get('dock')?.items[4];
        if (c.tool !== 'library.search' || c.at.slug !== 'pier' || foreign === undefined) return answer;
        const { items, total, ...body } = answer.body as Fields & { items: Fields[]; total: number };
        return { ...answer, body: { ...body, items: [...items, { ...foreign }], total: total + 1 } };
      }),
    probe: async (p) => {
      const { body } = await p.call('primary', 'library.search', list);
      const { kind, id } = (body.items as { kind: string; id: string }[]).at(-1) ?? { kind: '', id: '' };
      return !(await p.call('primary', 'library.get', { workspace: 'pier', kind, id })).ok;
    },
  },
  {
    id: 'unknown-after-named-is-served',
    sentence: 'After a request in a named workspace a key that names an unknown one is served in it.',
    breaks: ['workspaces.unknown-refused', 'workspaces.argument-honoured', 'workspaces.unreachable-refused'],
    steps: (s) =>
      around(s, 'resolve', (next) => {
        const last = new Map<string, string>();
        return (c) => {
          const found = next(c);
          const earlier = last.get(c.key.role);
          if (!isAnswer(found)) last.set(c.key.role, found.slug);
          const lax = isAnswer(found) && c.tool === 'content.status' && earlier === 'pier';
          return lax ? { slug: earlier, source: 'call-override' } : found;
        };
      }),
    probe: async (p) => {
      await p.call('primary', 'schedule.read', { workspace: 'pier' });
      return (await p.call('primary', 'content.status', { workspace: 'no-such-quay' })).ok;
    },
  },
];
