import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';
import type { CredentialKind } from '../../exchange/exchange.ts';

const error = (code: string, message = 'No.') => ({ error: { code, message } });
const read: Said = { tool: 'schedule.read', body: { ok: true, workspace: 'north' } };

const sending = (body: string, more: Partial<Said> = {}): Said => ({
  tool: 'schedule.read',
  request: { body, args: null },
  status: 400,
  body: error('tenant_api.malformed_body'),
  ...more,
});
const accepted: Partial<Said> = { status: 200, body: { ok: true } };

const with_ = (kind: CredentialKind, more: Partial<Said> = {}): Said => ({
  tool: 'schedule.read',
  sender: { label: kind, kind, role: null },
  status: 401,
  body: error('unauthorized'),
  ...more,
});

const naming = (tool: string, more: Partial<Said> = {}): Said => ({ tool, status: 404, body: error('none'), ...more });
test.each<[RequirementId, string, Said[]]>([
  ['bodies.not-json', 'of a key that is never served', [sending('{', accepted)]],
  ['bodies.not-json', 'of white space only', [read, sending('  ', accepted)]],
  ['bodies.not-json', 'of another content type', [read, sending('a=b', { ...accepted, request: { headers: [] } })]],
  ['bodies.omitted-schedule-read', 'of a key that does not resolve', [{ ...read, request: { body: null }, body: {} }]],
  ['authentication.absent-refused', 'where nobody is served', [with_('absent', accepted)]],
  ['authentication.absent-refused', 'with a malformed body', [read, { ...sending('{'), ...with_('absent', accepted) }]],
  ['unknown-tools.unknown-404', 'with a bad key', [read, { ...with_('absent'), tool: 'weather' }]],
  ['unknown-tools.unknown-404', 'that is a tool, written otherwise', [read, { ...naming('schedule%2Eread') }]],
])('%s says nothing of a request %s', (id, _, said) => {
  expect(verdictOf(id, ...said)).toBe('not tested');
});

describe('headers that tell causes apart', () => {
  const tagged = (kind: CredentialKind, tag: string) => with_(kind, { headers: [['x-tag', tag]] });
  const verdict = (said: Said[]) => judgementOf('authentication.unknown-like-absent', said);
  const inTurn = (times: number, tags: (round: number) => [string, string]): Said[] =>
    Array.from({ length: times }, (_, round) => tags(round)).flatMap(([one, other]) => [
      tagged('absent', one),
      tagged('unknown', other),
    ]);

  test('are open when they are met once', () => {
    const { findings, unconfirmed } = verdict(inTurn(1, () => ['a', 'b']));
    expect([findings.length, unconfirmed.length]).toEqual([0, 1]);
  });
  test('count once they stay so over several repetitions', () => {
    expect(verdict(inTurn(7, () => ['a', 'b'])).findings).not.toEqual([]);
  });
  test('do not count where they change by themselves', () => {
    const { findings, unconfirmed } = verdict(inTurn(7, (round) => [`a${round}`, `b${round}`]).slice(2));
    expect(findings).toEqual([]);
    expect(unconfirmed.length).toBeLessThan(2);
  });
  test('are compared at the same base URL', () => {
    const elsewhere = {
      ...with_('unknown', { body: error('elsewhere') }),
      request: { url: 'http://b.invalid/api/v1/tools/schedule.read' },
    };
    expect(verdict([with_('absent'), elsewhere]).tested).toBe(0);
  });
});
