import { boundaryCodes } from '../../../fixtures/contract/codes.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { boundary, confirmationInvalid, invalidArguments, success } from '../answers.ts';
import { type Deviation, workingIn } from '../deviation.ts';
import { around, isAnswer } from '../steps.ts';

/** Deviations from a rule that holds for most keys, but not for one. */
export const byRole: Deviation[] = [
  {
    id: 'sole-skips-board-check',
    sentence: 'A key with one workspace proposes on boards that do not exist.',
    breaks: ['image-proposals.board-unknown-refused'],
    steps: (s) => around(s, 'board', (next) => (c, id) => c.key.role === 'sole' || next(c, id)),
    probe: async (p) => (await p.propose('sole', { board: 'brd-none' })).ok,
  },
  {
    id: 'sole-uses-boards-of-the-account',
    sentence: 'For a key with one workspace every board of the account is in it.',
    breaks: ['image-proposals.board-elsewhere-refused'],
    steps: (s) =>
      around(s, 'board', (next) => (c, id) => {
        const account = [...c.world.workspaces.values()].filter((one) => one.account === c.key.account);
        return next(c, id) || (c.key.role === 'sole' && account.some(({ boards }) => boards.includes(id)));
      }),
    probe: async (p) => (await p.propose('sole', { board: 'brd-21' })).ok,
  },
  {
    id: 'defaulted-falls-back-on-unknown-workspace',
    sentence: 'A key with a default is served in it when it names a workspace that does not exist.',
    breaks: [
      'workspaces.unknown-refused',
      'workspaces.unreachable-refused',
      'workspaces.argument-honoured',
      'workspaces.source-call-override',
    ],
    steps: (s) =>
      around(s, 'resolve', (next) => (c) => {
        const found = next(c);
        const reads = c.tool.endsWith('.read') || c.tool.startsWith('library.');
        if ('slug' in found || c.key.role !== 'defaulted' || !reads) return found;
        return { slug: 'dock', source: 'stored-default' };
      }),
    probe: async (p) => (await p.call('defaulted', 'schedule.read', { workspace: 'no-such-quay' })).ok,
  },
  {
    id: 'other-account-proposes-abroad',
    sentence: 'Keys of the second account may propose in workspaces of the first.',
    breaks: ['image-proposals.workspace-unreachable-refused'],
    steps: (s) =>
      around(s, 'resolve', (next) => (c) => {
        const named = String(c.args.workspace);
        const abroad = c.tool === 'images.generate' && c.key.role === 'otherAccount' && c.world.workspaces.has(named);
        return abroad ? { slug: named, source: 'call-override' } : next(c);
      }),
    probe: async (p) => (await p.propose('otherAccount', { workspace: 'dock', board: 'brd-11' })).ok,
  },
  {
    id: 'other-account-creates-abroad',
    sentence: 'Keys of the second account may create content in workspaces of the first.',
    breaks: ['content-requests.workspace-unreachable-refused'],
    steps: (s) =>
      around(s, 'resolve', (next) => (c) => {
        const named = String(c.args.workspace);
        const abroad = c.tool.startsWith('content.') && c.key.role === 'otherAccount' && c.world.workspaces.has(named);
        return abroad && c.tool.endsWith('request') ? { slug: named, source: 'call-override' } : next(c);
      }),
    probe: async (p) => (await p.create('otherAccount', { workspace: 'dock' })).ok,
  },
  {
    id: 'pinned-title-without-bound',
    sentence: 'The title has no longest length for a pinned key.',
    breaks: ['content-requests.title-too-long-refused'],
    steps: (s) =>
      around(s, 'check', (next) => (c) => {
        const long = String(c.args.title ?? '').length > limits.title.most && c.key.role === 'pinned';
        return next(c).filter(({ path }) => !long || path !== 'title');
      }),
    probe: async (p) => (await p.create('pinned', { title: 'x'.repeat(limits.title.most + 1) })).ok,
  },
  {
    id: 'ambiguous-titled-request-picks-first',
    sentence: 'A content request with a title runs in the first workspace where nothing chooses one.',
    breaks: ['workspaces.ambiguous-create-request'],
    steps: (s) =>
      around(s, 'resolve', (next) => (c) => {
        const found = next(c);
        const titled = c.args.title !== undefined && c.args.workspace === undefined;
        return isAnswer(found) && titled ? { slug: c.key.reach[0] ?? '', source: 'stored-default' } : found;
      }),
    probe: async (p) => {
      const args = { format: 'posts', day: '2027-03-10', title: 'Launch' };
      return (await p.call('ambiguous', 'content.create_request', args)).ok;
    },
  },
  {
    id: 'sole-other-workspace-on-connections',
    sentence: 'A key with one workspace that names another one is served its own by `connections.status`.',
    breaks: ['workspaces.unreachable-within-account', 'workspaces.argument-honoured', 'workspaces.unknown-refused'],
    steps: (s) =>
      around(s, 'resolve', (next) => (c) => {
        const own = c.tool === 'connections.status' && c.key.role === 'sole';
        return own ? { slug: 'dock', source: 'sole-reachable' } : next(c);
      }),
    probe: async (p) => (await p.call('sole', 'connections.status', { workspace: 'pier' })).ok,
  },
  {
    id: 'other-account-empty-workspace',
    sentence: 'An empty workspace counts as left out for keys that reach one workspace of their account.',
    breaks: [
      'workspaces.empty-refused',
      'content-requests.workspace-empty-refused',
      'image-proposals.workspace-empty-refused',
    ],
    steps: (s) =>
      around(s, 'check', (next) => (c) => {
        if (c.key.account === 'meadow' && c.args.workspace === '') delete c.args.workspace;
        return next(c);
      }),
    probe: async (p) => (await p.call('otherAccount', 'content.status', { workspace: '' })).ok,
  },
  {
    id: 'pinned-request-tells-default',
    sentence: 'A content request of a pinned key says that its default was used.',
    breaks: ['content-requests.source-of-each-rung', 'workspaces.source-key-pin'],
    steps: (s) =>
      around(s, 'create', (next) => (c) => {
        if (c.at.source === 'key-pin') c.at = { ...c.at, source: 'stored-default' };
        return next(c);
      }),
    probe: async (p) => {
      const made = await p.call('pinned', 'content.create_request', { format: 'posts', day: '2027-03-10' });
      return workingIn(made).source === 'stored-default';
    },
  },
  {
    id: 'sole-proposal-without-source',
    sentence: 'A proposal by a key with one workspace does not tell the source.',
    breaks: ['image-proposals.working-in-source'],
    steps: (s) =>
      around(s, 'propose', (next) => async (c) => {
        const answer = await next(c);
        if (c.at.source === 'sole-reachable') delete workingIn({ body: answer.body } as never).source;
        return answer;
      }),
    probe: async (p) => workingIn(await p.proposeUnnamed('sole')).source === undefined,
  },
  {
    id: 'other-account-null-body',
    sentence: 'For the second account `null` counts as no body.',
    breaks: ['bodies.json-null', 'bodies.every-reading-tool'],
    steps: (s) =>
      around(s, 'parse', (next) => (c) => (c.key.role === 'otherAccount' && `${c.raw}` === 'null' ? {} : next(c))),
    probe: async (p) => (await p.call('otherAccount', 'credits.balance', undefined, { raw: 'null' })).ok,
  },
  {
    id: 'other-account-confirms-first-account',
    sentence: 'Only ids of the second account are kept from others: it confirms those of the first.',
    breaks: ['confirmations.other-account-invalid', 'confirmations.other-account-like-never-issued'],
    steps: (s) =>
      around(s, 'live', (next) => (c, id) => {
        const proposal = c.world.proposals.get(id);
        return c.key.role === 'otherAccount' && proposal?.used === false ? proposal : next(c, id);
      }),
    probe: async (p) => (await p.confirm('otherAccount', await p.proposed('primary'))).ok,
  },
  {
    id: 'platform-off-checks-arguments-first',
    sentence: 'While the switch of the platform is off, `images.generate` still checks arguments.',
    breaks: ['surface.platform-switch-refused'],
    steps: (s) =>
      around(s, 'closed', (next) => (c) => {
        if (c.key.role !== 'platformSwitchOff' || c.tool !== 'images.generate') return next(c);
        return invalidArguments([{ path: 'board', message: 'is required' }]);
      }),
    probe: async (p) => (await p.call('platformSwitchOff', 'images.generate', {})).status === 200,
  },
  {
    id: 'account-off-mixes-codes',
    sentence: 'While the account is switched off, `library.get` gives the code of the platform.',
    breaks: ['surface.codes-tell-causes-apart'],
    steps: (s) =>
      around(s, 'closed', (next) => (c) => {
        const mixed = c.key.role === 'accountSwitchOff' && c.tool === 'library.get';
        return mixed ? boundary(403, boundaryCodes.accountSwitchOff, 'The API is closed.') : next(c);
      }),
    probe: async (p) => (await p.call('accountSwitchOff', 'library.get', {})).code === boundaryCodes.accountSwitchOff,
  },
  {
    id: 'sole-balance-from-start',
    sentence: 'A key with one workspace reads the balance that was cached when it was used first.',
    breaks: ['credits.one-balance'],
    steps: (s) =>
      around(s, 'run', (next) => {
        let cached: number | undefined;
        return async (c) => {
          if (c.tool !== 'credits.balance' || c.key.role !== 'sole') return next(c);
          cached ??= c.world.credits.get(c.key.account) ?? 0;
          return success({ balance: cached });
        };
      }),
    probe: async (p) => {
      await p.call('sole', 'credits.balance', {});
      await p.confirm('primary', await p.proposed('primary'));
      const [sole, primary] = [await p.call('sole', 'credits.balance'), await p.call('primary', 'credits.balance')];
      return sole.body.balance !== primary.body.balance;
    },
  },
  {
    id: 'defaulted-refused-id-tells-more',
    sentence: 'A key with a default learns that an id was used by somebody.',
    breaks: ['confirmations.used-like-never-issued'],
    steps: (s) =>
      around(s, 'run', (next) => async (c) => {
        const used = c.world.proposals.get(String(c.args.confirmation_id))?.used;
        if (c.tool !== 'images.generate' || c.key.role !== 'defaulted' || !used) return next(c);
        const answer = confirmationInvalid();
        return {
          ...answer,
          body: { ...(answer.body as object), message: `Used already. ${limits.confirmation.about} minutes are over.` },
        };
      }),
    probe: async (p) => {
      const id = await p.proposed('defaulted');
      await p.confirm('defaulted', id);
      const [used, never] = [await p.confirm('defaulted', id), await p.confirm('defaulted', 'conf_1234')];
      return used.text !== never.text;
    },
  },
];
