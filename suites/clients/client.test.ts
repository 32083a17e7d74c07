import { describe, expect, test } from 'vitest';
import { exchangesOf, knowledge, type Said } from '../../test/history.ts';
import { judgeClient } from './judge.ts';

const failedRules = (all: readonly Said[], known: Partial<typeof knowledge> = {}) =>
  judgeClient([{ knowledge: { ...knowledge, ...known }, exchanges: exchangesOf(all) }]).requirements.flatMap(
    ({ id, findings }) => findings.map(() => id),
  );

const times = (count: number, said: Said): Said[] => Array.from({ length: count }, () => ({ ...said, took: 0.01 }));
const polls = times(2100, { tool: 'credits.balance', body: { ok: true, balance: 5 } });

describe('more requests than a client is remembered by', { timeout: 30_000 }, () => {
  test('an invented item is still found', () => {
    const items = [{ kind: 'image', id: 'i1', title: 't' }];
    const search: Said = { tool: 'library.search', args: { query: 'a' }, body: { ok: true, items } };
    const get = (id: string): Said => ({ tool: 'library.get', args: { kind: 'image', id }, body: { ok: false } });
    expect(failedRules([search, ...polls, get('i1')])).toEqual([]);
    expect(failedRules([search, ...polls, get('i9')])).toEqual(['client-requests.item-as-found']);
  });

  test('an invented confirmation ID is still found', () => {
    const args = { board: 'b', brief: 'Street', count: 1, shape: '1:1' };
    const body = { ok: true, status: 'confirmation_required', confirmation_id: 'abcdefghijkl-0001' };
    const confirm: Said = { tool: 'images.generate', args: { ...args, confirmation_id: 'another-9999' } };
    const all = [{ tool: 'images.generate', args, body }, ...polls, { ...confirm, body: { ok: false } }];
    expect(failedRules(all)).toEqual(['client-confirmations.id-as-given']);
  });

  test.each([true, undefined])('a workspace that the client named before is no choice (person: %s)', (person) => {
    const workspaces = ['north', 'south'];
    const named: Said = { tool: 'schedule.read', args: { workspace: 'north' }, body: { ok: true } };
    const refused: Said = { tool: 'schedule.read', body: { ok: false, code: 'workspace_ambiguous', workspaces } };
    const known = person === undefined ? {} : { person };
    expect(failedRules([named, ...polls, refused, named], known)).toEqual([]);
    expect(failedRules([...polls, refused, named], known)).toHaveLength(1);
  });

  test('a check of a lost request is not demanded once more', () => {
    const create: Said = { tool: 'content.create_request', args: { title: 'Street', day: '2027-02-01' }, took: 0.01 };
    const lost = { ...create, status: 502 };
    const read: Said = { tool: 'schedule.read', args: { workspace: 'north' }, body: { ok: true } };
    const rule = 'client-retries.no-blind-repeat';
    expect(failedRules([lost, create])).toContain(rule);
    expect(failedRules([lost, read, ...polls, create])).not.toContain(rule);
  });

  test('thousands of identical refused requests are judged in seconds', () => {
    const refused = times(2500, { tool: 'schedule.read', status: 401 });
    const start = performance.now();
    failedRules(refused);
    expect(performance.now() - start).toBeLessThan(8000);
  });
});
