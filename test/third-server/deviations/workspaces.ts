import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { ambiguousOfTools } from '../../declared-tool.ts';
import { type Change, confirms, onAnswer, onSuccess } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Call, Fields, Proposal } from '../model.ts';
import { around, isAnswer, step } from '../steps.ts';

const create = 'content.create_request';

/** Keeps the workspace of a tool's last successful request for later requests that name no workspace. */
function sticky(tool: string, role: string): Change {
  return step('resolve', (next) => {
    const last = new Map<string, string>();
    return (c) => {
      const found = next(c);
      const stuck = last.get(c.key.role);
      if (c.args.workspace === undefined && stuck !== undefined) return { slug: stuck, source: 'stored-default' };
      if (!isAnswer(found) && c.tool === tool && c.key.role === role) last.set(role, found.slug);
      return found;
    };
  });
}

const ofAccount = (c: Call, one: Proposal): boolean => one.account === c.key.account;

/** Deviations that depend on the workspace, or on switching between workspaces. */
export const workspaces = {
  'In the second workspace filled_planned_slot is a text': {
    breaks: ['content-requests.filled-planned-slot'],
    steps: onSuccess(create, (body, { at }) => {
      if (at.slug === 'pier') body.filled_planned_slot = 'no';
    }),
  },
  'A key without default remembers the workspace that it named on connections.status': {
    breaks: [...ambiguousOfTools],
    steps: sticky('connections.status', 'ambiguous'),
  },
  'In the second workspace boards of the first are found': {
    breaks: ['image-proposals.board-elsewhere-refused'],
    steps: step('board', (next) => (c, id) => next(c, id) || (c.at.slug === 'pier' && id.startsWith('brd-1'))),
  },
  'In the second workspace working_in of library.get names the first': {
    breaks: ['workspaces.working-in-agrees'],
    steps: onSuccess('library.get', (body) => Object.assign(body.working_in as Fields, { workspace: 'dock' })),
  },
  'The choices for an ambiguous workspace hold a workspace that was archived': {
    breaks: ['workspaces.ambiguous-choices-work'],
    steps: onAnswer('handle', ({ body }) => {
      if (body.code === refusalCodes.workspaceAmbiguous) body.workspaces = ['dock', 'pier', 'mole-archived'];
    }),
  },
  'Ids that were issued in the second workspace can be confirmed in the first, but not the other way': {
    breaks: ['confirmations.other-workspace-invalid'],
    steps: confirms((c, one) => !one.used && ofAccount(c, one) && one.workspace === 'pier' && c.at.slug === 'dock'),
  },
  'A key with one workspace cannot confirm without naming it what it proposed naming it': {
    breaks: ['confirmations.unnamed-workspace'],
    steps: (s) => {
      const named = new Set<string>();
      onAnswer('propose', ({ body }, { args }) => {
        if (args.workspace !== undefined) named.add(String(body.confirmation_id));
      })(s);
      around(s, 'live', (next) => (c, id) => {
        const unnamed = c.args.workspace === undefined && c.key.role === 'sole';
        return unnamed && named.has(id) ? undefined : next(c, id);
      });
    },
  },
  'A search in the second workspace also finds an item of the first, which cannot be fetched there': {
    breaks: ['library.found-can-be-got'],
    steps: onSuccess('library.search', (body, { world, at }) => {
      const foreign = world.workspaces.get('dock')?.items[4];
      if (at.slug !== 'pier' || foreign === undefined) return;
      Object.assign(body, { items: [...(body.items as Fields[]), { ...foreign }], total: Number(body.total) + 1 });
    }),
  },
} satisfies Deviations;
