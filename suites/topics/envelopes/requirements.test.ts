import { expect, test } from 'vitest';
import { answered, judgementOf, knowledge, type Said, verdictOf } from '../../../test/history.ts';
import { judge } from '../../model/judge/judge.ts';
import { rules } from '../index.ts';

const json = Object.entries({ 'content-type': 'application/json; charset=utf-8', 'x-service-api': 'beta' });
const said = (more: Partial<Said>): Said => ({ tool: 'schedule.read', headers: json, body: { ok: true }, ...more });
const refused = (code: string, ...headers: [string, string][]): Said =>
  said({ body: { ok: false, code, message: 'No.' }, headers: [...json, ...headers] });

test('the hint for a request without a response names the tool', () => {
  const closed = { ...answered({ tool: 'content.status' }), response: null, closedInARow: 3 };
  const chosen = rules.filter(({ id }) => id === 'envelopes.answers-every-request');
  const [judgement] = judge(chosen, { knowledge, exchanges: [closed] });
  expect(judgement?.findings[0]?.hint).toMatch('Look for a crash in content.status');
});

test('a header is not judged where headers are not known', () => {
  const { tested, findings } = judgementOf('headers.beta-on-200', [said({ headers: [] })], { headers: false });
  expect({ tested, findings }).toEqual({ tested: 0, findings: [] });
});

test('a refusal in a workspace that the key was not seen to reach may be one of the boundary', () => {
  const here = { args: { workspace: 'north' } };
  const refusal = { ...refused('board_not_found', ['x-service-tool-error', 'true']), ...here };
  const reached = said({ body: { ok: true, workspace: 'north' }, ...here });
  expect(verdictOf('headers.tool-error-on-board-not-found', refusal)).toBe('not tested');
  expect(verdictOf('headers.tool-error-on-board-not-found', refusal, reached)).toBe('failed');
});
