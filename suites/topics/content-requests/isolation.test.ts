import { expect, test } from 'vitest';
import { type Said, verdictOf } from '../../../test/history.ts';

const created = (workspace: string, id: string): Said => ({
  tool: 'content.create_request',
  args: { workspace, format: 'posts', day: '2027-01-05' },
  body: { ok: true, workspace, piece_id: id },
});

const status = (workspace: string, ...ids: string[]): Said => ({
  tool: 'content.status',
  args: { workspace },
  body: { ok: true, workspace, pieces: ids.map((id) => ({ piece_id: id })) },
});

const verdict = (...said: Said[]) => verdictOf('content-requests.stays-in-workspace', ...said);

test('a piece of another workspace is recognized by its ID', () => {
  const pieces = [created('north', 'piece-k3v9x2ma'), created('south', 'piece-w7q1z8tb')];
  expect(verdict(...pieces, status('north', 'piece-w7q1z8tb'))).toBe('failed');
});

test('an ID that two pieces have identifies neither', () => {
  const pieces = ['north', 'south', 'south'].map((slug, at) =>
    created(slug, `piece-${at < 2 ? 'k3v9x2ma' : 'w7q1z8tb'}`),
  );
  expect(verdict(...pieces, status('north', 'piece-k3v9x2ma'))).toBe('not tested');
});
