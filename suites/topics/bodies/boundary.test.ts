import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';
import type { CredentialKind } from '../../history/exchange.ts';

const error = (code: string, message = 'No.') => ({ error: { code, message } });
const read: Said = { tool: 'schedule.read', body: { ok: true, workspace: 'north' } };
const balance: Said = { tool: 'credits.balance', body: { ok: true, balance: 3 } };

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
const closed = (as: NonNullable<Said['as']>, code: string, more: Partial<Said> = {}): Said => ({
  tool: 'schedule.read',
  as,
  status: 403,
  body: error(code),
  ...more,
});

/** For each requirement, a history that satisfies it and one that violates it. */
const histories: Record<RequirementId, { holds: Said[]; broken: Said[] }> = {
  'bodies.not-json': { holds: [sending('{'), read], broken: [sending('{', accepted), read] },
  'bodies.json-string': { holds: [read, sending('"a"')], broken: [read, sending('"a"', accepted)] },
  'bodies.json-number': { holds: [read, sending('1')], broken: [read, sending('1', accepted)] },
  'bodies.json-boolean': { holds: [read, sending('true')], broken: [read, sending('true', accepted)] },
  'bodies.json-null': { holds: [read, sending('null')], broken: [read, sending('null', accepted)] },
  'bodies.empty-array': {
    holds: [read, sending('[]')],
    broken: [read, sending('[]', { body: error('tenant_mcp.batch_too_large') })],
  },
  'bodies.array-of-objects': {
    holds: [read, sending('[{},{}]', { body: error('tenant_mcp.batch_too_large') })],
    broken: [read, sending('[{}]', { body: error('tenant_mcp.batch_too_large') })],
  },
  'bodies.every-reading-tool': {
    holds: [balance, sending('[]', { tool: 'credits.balance' })],
    broken: [balance, sending('[]', { tool: 'credits.balance', ...accepted })],
  },
  'bodies.omitted-credits-balance': {
    holds: [balance, { ...balance, request: { body: null, args: {} } }],
    broken: [
      balance,
      { ...balance, request: { body: null, args: {} }, body: { ok: false, code: 'invalid_arguments' } },
    ],
  },
  'authentication.bearer-accepted': { holds: [balance], broken: [{ ...balance, status: 401, body: error('a') }] },
  'authentication.absent-refused': { holds: [balance, with_('absent')], broken: [balance, with_('absent', accepted)] },
  'authentication.unknown-refused': {
    holds: [balance, with_('unknown')],
    broken: [balance, with_('unknown', { status: 403 })],
  },
  'authentication.other-scheme-refused': {
    holds: [balance, with_('other-scheme')],
    broken: [balance, with_('other-scheme', accepted)],
  },
  'authentication.longer-key-refused': { holds: [read, with_('longer')], broken: [read, with_('longer', accepted)] },
  'authentication.revoked-refused': {
    holds: [read, { ...with_('key'), sender: { label: 'revoked', kind: 'key', role: 'revoked' } }],
    broken: [read, { ...read, as: 'revoked' }],
  },
  'authentication.uniform-across-tools': {
    holds: [with_('absent'), with_('absent', { tool: 'library.get' })],
    broken: [with_('absent'), with_('absent', { tool: 'library.get', body: error('library') })],
  },
  'authentication.unknown-like-absent': {
    holds: [with_('absent'), with_('unknown')],
    broken: [with_('absent'), with_('unknown', { body: error('unknown_key') })],
  },
  'authentication.near-misses-like-absent': {
    holds: [with_('absent'), with_('shorter')],
    broken: [with_('absent'), with_('shorter', { body: error('unknown_key') })],
  },
  'surface.without-access-refused': {
    holds: [closed('withoutAccess', 'a')],
    broken: [closed('withoutAccess', 'a', { status: 401 })],
  },
  'surface.codes-tell-causes-apart': {
    holds: [closed('withoutAccess', 'a'), closed('accountSwitchOff', 'b')],
    broken: [closed('withoutAccess', 'a'), closed('accountSwitchOff', 'a')],
  },
  'unknown-tools.unknown-404': { holds: [read, naming('weather')], broken: [read, naming('weather', accepted)] },
  'unknown-tools.near-misses-404': {
    holds: [naming('Schedule.Read'), read],
    broken: [naming('Schedule.Read', accepted), read],
  },
  'unknown-tools.prototype-names-404': {
    holds: [read, naming('constructor')],
    broken: [read, naming('__proto__', { status: 500, body: {} }), naming('toString', accepted)],
  },
  'unknown-tools.uniform-body': {
    holds: [naming('one'), naming('two')],
    broken: [naming('one'), naming('two', { body: error('none', 'No two.') })],
  },
  'unknown-tools.name-not-in-body': {
    holds: [naming('weather', { invented: ['tool'] })],
    broken: [naming('weather', { invented: ['tool'], body: error('none', 'No weather.') })],
  },
  'unknown-tools.name-not-in-headers': {
    holds: [naming('weather', { invented: ['tool'] })],
    broken: [naming('weather', { invented: ['tool'], headers: [['x-tool', 'weather']] })],
  },
};

describe.each(Object.entries(histories) as [RequirementId, { holds: Said[]; broken: Said[] }][])(
  '%s',
  (id, samples) => {
    test('holds', () => expect(verdictOf(id, ...samples.holds)).toBe('passed'));
    test('is broken', () => expect(verdictOf(id, ...samples.broken)).toBe('failed'));
  },
);

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
