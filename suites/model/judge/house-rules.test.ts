import { expect, test } from 'vitest';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

const tool = 'images.generate';
const request = { workspace: 'north', board: 'b-1', brief: 'a grey square', count: 1, shape: '1:1' };
const proposal = { ok: true, status: 'confirmation_required', confirmation_id: 'c-1', workspace: 'north' };
const proposed: Said = { tool, args: request, body: proposal };
const boards = [{ account: 'own', workspace: 'north', board: 'b-1' }] as const;
const tooMany = { ok: false, code: 'too_many_open', message: 'Confirm some of them first.' };
const declined: Said = { tool, args: request, body: tooMany };
const unknownBoard = (body: object): Said => ({ tool, args: { ...request, board: 'b-9' }, body, invented: ['board'] });

test('a proposal may be declined while others are open, though not for what it certainly has', () => {
  const id = 'image-proposals.proposed';
  expect(verdictOf(id, proposed, declined)).toBe('passed');
  expect(verdictOf(id, proposed, { ...declined, body: { ...tooMany, code: 'board_not_found' } })).toBe('failed');
});

test('what is declined as any proposal is says nothing of the board, before and afterwards', () => {
  const judged = (...all: Said[]) => judgementOf('image-proposals.board-unknown-refused', all, { boards });
  expect(judged(proposed, unknownBoard(tooMany), declined)).toMatchObject({ tested: 0, findings: [] });
  expect(judged(proposed, declined, unknownBoard(tooMany))).toMatchObject({ tested: 0, findings: [] });
  expect(judged(proposed, unknownBoard(tooMany)).findings).toHaveLength(1);
  expect(judged(proposed, declined, unknownBoard({ ...tooMany, code: 'no_board' })).findings).toHaveLength(1);
});

test('a fresh proposal that is declined as any other is says nothing of recovery', () => {
  const id = 'confirmations.recovery';
  const body = { ...tooMany, code: 'confirmation_invalid' };
  const invalid: Said = { tool, args: { ...request, confirmation_id: 'c-9' }, body };
  const other: Said = { tool, args: { ...request, brief: 'a red kite' }, body: tooMany };
  expect(verdictOf(id, proposed, invalid, declined)).toBe('failed');
  expect(judgementOf(id, [proposed, invalid, declined, other], { boards })).toMatchObject({ tested: 0, findings: [] });
});

test('a code of its own for a board of another workspace is no rule of the house', () => {
  const known = [...boards, { account: 'own', workspace: 'south', board: 'b-2' }] as const;
  const away: Said = { tool, args: { ...request, board: 'b-2' }, body: { ...tooMany, code: 'board_is_elsewhere' } };
  const judged = judgementOf('image-proposals.board-elsewhere-refused', [proposed, away], { boards: known });
  expect(judged.findings).toHaveLength(1);
});

const create = 'content.create_request';
const piece = { format: 'posts', day: '2027-01-05', title: 'A piece', workspace: 'north' };
const created: Said = { tool: create, args: piece, body: { ok: true, piece_id: 'p-1', workspace: 'north' } };
const full: Said = { tool: create, args: piece, body: { ok: false, code: 'day_full', message: 'That day is full.' } };

test('a content request without a workspace counts as refused for that only if it is refused repeatedly', () => {
  const { workspace: _, ...unnamed } = piece;
  const refused: Said = { ...full, args: unnamed, as: 'sole' };
  const judged = (...all: Said[]) =>
    judgementOf('content-requests.source-of-each-rung', [{ ...created, as: 'sole' }, ...all]);
  expect(judged(refused).findings).toEqual([]);
  expect(judged(refused, refused, refused).findings).not.toEqual([]);
  expect(judged(refused, full)).toMatchObject({ tested: 0, findings: [] });
});

test('a rule of the house stays one if another key is declined too', () => {
  const unknown: Said = { ...full, args: { ...piece, format: 'podcasts' } };
  const judged = (...all: Said[]) => judgementOf('content-requests.format-unknown-refused', [created, full, ...all]);
  expect(judged(unknown)).toMatchObject({ tested: 0, findings: [] });
  expect(judged({ ...full, as: 'defaulted' }, unknown)).toMatchObject({ tested: 0, findings: [] });
});

test('of two accounts with workspaces of one slug, each has its own boards', () => {
  const refused = { tool, args: { ...request, board: 'theirs' }, body: { ok: false, code: 'board_not_found' } };
  const workspaces = ['own', 'other'].map((account) => ({ account, workspace: 'north' }));
  const findings = (account: string) => {
    const boards = [{ account, workspace: 'north', board: 'theirs' }];
    return judgementOf('image-proposals.proposed', [refused], { workspaces, boards }).findings.length;
  };
  expect([findings('own'), findings('other')]).toEqual([1, 0]);
});

test('a proposal that lacks an argument promises no success, whichever workspace it would run in', () => {
  const { workspace: _, brief: __, ...incomplete } = request;
  const read: Said = { tool: 'schedule.read', args: {}, as: 'sole', body: { ok: true, workspace: 'north' } };
  const refused: Said = { tool, args: incomplete, as: 'sole', body: { ok: false, code: 'invalid_arguments' } };
  const judged = judgementOf('image-proposals.works-without-argument', [read, proposed, refused], { boards });
  expect(judged).toMatchObject({ tested: 0, findings: [] });
});
