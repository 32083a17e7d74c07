import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { judgementOf, type Said, verdictOf } from '../../../test/history.ts';

const json: Said['headers'] = [
  ['content-type', 'application/json; charset=utf-8'],
  ['x-service-api', 'beta'],
];
const said = (more: Partial<Said>): Said => ({ tool: 'schedule.read', headers: json, body: { ok: true }, ...more });
const refused = (code: string, more: object = {}, headers: Said['headers'] = []): Said =>
  said({ body: { ok: false, code, message: 'No.', ...more }, headers: [...(json ?? []), ...headers] });
const boundary = (status: number, error: object = {}, beside: object = {}): Said =>
  said({ status, body: { error: { code: 'a', message: 'b', ...error }, ...beside } });

const toolError = (value: string): Said['headers'] => [['x-service-tool-error', value]];

/** For each requirement, a response that satisfies it and one that violates it. */
const pairs: Partial<Record<RequirementId, { holds: Said; broken: Said }>> = {
  'envelopes.json-200': { holds: said({}), broken: said({ body: '[]' }) },
  'envelopes.json-4xx': {
    holds: boundary(404),
    broken: { ...boundary(429), headers: [['content-type', 'text/html']] },
  },
  'envelopes.ok-boolean': { holds: said({}), broken: said({ body: { ok: 'true' } }) },
  'envelopes.outcome-is-200': { holds: said({}), broken: said({ status: 422, body: { ok: false } }) },
  'envelopes.described-status': { holds: boundary(429), broken: said({ status: 302 }) },
  'envelopes.no-server-error': { holds: boundary(401), broken: said({ status: 503, odd: true }) },
  'envelopes.refusal-code': { holds: refused('closed'), broken: refused('') },
  'envelopes.refusal-message': { holds: refused('closed'), broken: refused('closed', { message: null }) },
  'envelopes.refusal-workspaces': {
    holds: refused('workspace_ambiguous', { workspaces: ['a'] }),
    broken: refused('workspace_ambiguous', { workspaces: [{ slug: 'a' }] }),
  },
  'envelopes.refusal-issues': {
    holds: refused('invalid_arguments', { issues: [{ path: 'a', message: 'b' }] }),
    broken: refused('invalid_arguments', { issues: [{ path: ['a'], message: 'b' }] }),
  },
  'envelopes.boundary-error': { holds: boundary(429), broken: said({ status: 404, body: { message: 'b' } }) },
  'envelopes.boundary-no-other-keys': { holds: boundary(401), broken: boundary(401, { hint: 'c' }) },
  'envelopes.retry-after-seconds-only-on-429': {
    holds: boundary(401),
    broken: boundary(401, { retry_after_seconds: null }),
  },
  'headers.beta-on-200': { holds: said({}), broken: said({ headers: [] }) },
  'headers.beta-on-429': { holds: boundary(429), broken: { ...boundary(429), headers: [] } },
  'headers.tool-error-on-ambiguous': {
    holds: refused('workspace_ambiguous', {}, toolError('true')),
    broken: refused('workspace_ambiguous', {}, toolError('false')),
  },
  'headers.tool-error-on-board-not-found': {
    holds: refused('board_not_found', {}, toolError('false')),
    broken: refused('board_not_found', {}, toolError('true')),
  },
  'headers.tool-error-on-confirmation-invalid': {
    holds: refused('confirmation_invalid', {}, toolError('false')),
    broken: refused('confirmation_invalid'),
  },
  'headers.tool-error-on-invalid-arguments': {
    holds: refused('invalid_arguments', {}, toolError('true')),
    broken: refused('invalid_arguments'),
  },
  'headers.tool-error-on-other-refusals': {
    holds: refused('closed', {}, toolError('true')),
    broken: { ...refused('no_such_item', {}, toolError('true')), tool: 'library.get', invented: ['id'] },
  },
  'headers.tool-error-on-success': {
    holds: said({}),
    broken: said({ headers: [...(json ?? []), ...(toolError('true') ?? [])] }),
  },
};

describe.each(Object.entries(pairs) as [RequirementId, { holds: Said; broken: Said }][])('%s', (id, pair) => {
  test('holds', () => expect(verdictOf(id, pair.holds)).toBe('passed'));
  test('is broken', () => expect(verdictOf(id, pair.broken)).toBe('failed'));
});

test('a header is not judged where headers are not known', () => {
  const { tested, findings } = judgementOf('headers.beta-on-200', [said({ headers: [] })], { headers: false });
  expect({ tested, findings }).toEqual({ tested: 0, findings: [] });
});

test('a refusal in a workspace that the key was not seen to reach may be one of the boundary', () => {
  const here = { args: { workspace: 'north' } };
  const refusal = { ...refused('board_not_found', {}, toolError('true')), ...here };
  const reached = said({ body: { ok: true, workspace: 'north' }, ...here });
  expect(verdictOf('headers.tool-error-on-board-not-found', refusal)).toBe('not tested');
  expect(verdictOf('headers.tool-error-on-board-not-found', refusal, reached)).toBe('failed');
});
