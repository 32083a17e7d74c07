import { expect, test } from 'vitest';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { judgementOf, knowledge, type Said } from '../../../test/history.ts';
import type { Knowledge } from '../../exchange/history.ts';

const known: Partial<Knowledge> = {
  workspaces: [...knowledge.workspaces, { account: 'own', workspace: 'south' }],
  boards: [
    { account: 'own', workspace: 'north', board: 'b-1' },
    { account: 'own', workspace: 'south', board: 'b-2' },
  ],
};

const proposed = (as: Role, args: object, workspace: string): Said => ({
  tool: 'images.generate',
  as,
  args: { brief: 'a kite', count: 1, shape: '1:1', ...args },
  body: { ok: true, status: 'confirmation_required', confirmation_id: `c-${as}`, workspace },
});

const refused = (said: Said, field: string): Said => ({
  ...said,
  args: { ...said.args, brief: 'a red kite above the sea' },
  body: { ok: false, code: 'invalid_arguments', message: 'No.', issues: [{ path: field, message: 'is too long' }] },
});

const proposedInNorth = proposed('primary', { workspace: 'north', board: 'b-1' }, 'north');
const elsewhere = proposed('primary', { workspace: 'south', board: 'b-2' }, 'south');
const unnamed = proposed('defaulted', { board: 'b-1' }, 'north');
const read: Said = { tool: 'schedule.read', as: 'defaulted', body: { ok: true, workspace: 'north' } };

test.each<[RequirementId, Said]>([
  ['image-proposals.works-in-named-workspace', elsewhere],
  ['image-proposals.works-without-argument', unnamed],
])('%s: a refusal for the brief, whose limits are not shown, says nothing of the workspace', (id, proposal) => {
  const counts = (last: Said) => {
    const { tested, findings } = judgementOf(id, [read, proposedInNorth, last], known);
    return { tested, failed: findings.length };
  };
  expect(counts(proposal)).toEqual({ tested: 1, failed: 0 });
  expect(counts(refused(proposal, 'board'))).toEqual({ tested: 1, failed: 1 });
  expect(counts(refused(proposal, 'brief'))).toEqual({ tested: 0, failed: 0 });
});

test('a board of another workspace may be refused if tools contradict each other about the own workspace', () => {
  const refusal = { ...unnamed, body: { ok: false, code: 'board_not_found', message: 'No.' } };
  const cached = { ...read, tool: 'connections.status', body: { ok: true, workspace: 'south' } };
  const failed = (...history: Said[]) =>
    judgementOf('image-proposals.works-without-argument', [...history, proposedInNorth, refusal], known).findings
      .length;
  expect(failed(read)).toBe(1);
  expect(failed(cached, read)).toBe(0);
});
