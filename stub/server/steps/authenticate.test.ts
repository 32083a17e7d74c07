import { expect, test } from 'vitest';
import { toolNames } from '../../../fixtures/contract/tools.ts';
import { clientOf, type Reply } from '../../../test/stub/client.ts';
import { createCore } from '../../core.ts';

const stub = createCore();
const call = clientOf(stub);
const { primary, sole } = stub.keys;

const whole = ({ status, headers, text }: Reply) => ({ status, headers, text });

const refusedCredentials: Record<string, string | null> = {
  absent: null,
  unknown: 'Bearer nobody',
  revoked: `Bearer ${stub.keys.revoked}`,
  expired: `Bearer ${stub.keys.expired}`,
  'of another scheme': `Basic ${primary}`,
  'without a scheme': primary,
  'with a letter more': `Bearer ${primary}x`,
  'with a letter less': `Bearer ${primary.slice(0, -1)}`,
  'in another case': `Bearer ${primary.toUpperCase()}`,
  empty: 'Bearer ',
  'twice in one header': `Bearer ${primary}, Bearer ${primary}`,
  'named like a member of objects': 'Bearer constructor',
};

test('every credential that is not good gets one response, from every tool', () => {
  const responses = Object.values(refusedCredentials).flatMap((authorization) =>
    [...toolNames, 'no.such_tool', 'constructor'].map((tool) => whole(call(tool, {}, { authorization }))),
  );
  const [first] = responses;
  expect(first).toMatchObject({ status: 401, headers: { 'x-service-api': 'beta' } });
  expect(JSON.parse(first?.text ?? '')).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  for (const response of responses) expect(response).toEqual(first);
});

test('a good key is accepted, whatever the case of the scheme', () => {
  expect(call('credits.balance', {}, { authorization: `bearer ${sole}` }).body.ok).toBe(true);
  expect(call('credits.balance', {}, { authorization: `Bearer   ${sole}` }).body.ok).toBe(true);
});

test('three ways of being closed give 403 with three codes', () => {
  const codes = (['withoutAccess', 'accountSwitchOff', 'platformSwitchOff'] as const).map((role) => {
    const { status, headers, body } = call('schedule.read', {}, { role });
    expect(status).toBe(403);
    expect(headers['x-service-api']).toBe('beta');
    expect(Object.keys(body)).toEqual(['error']);
    expect(Object.keys(body.error)).toEqual(['code', 'message']);
    return body.error.code;
  });
  expect(new Set(codes).size).toBe(3);
  expect(codes).toContain('tenant_mcp.surface_disabled');
});

test('a name that is no tool gets one response, which does not hold the name', () => {
  const names = [
    'schedule.write',
    'schedule',
    'Schedule.Read',
    'constructor',
    '__proto__',
    'schedule.read.',
    'a/b',
    '',
  ];
  const responses = names.map((name) => whole(call(name, {})));
  for (const response of responses) expect(response).toEqual(responses[0]);
  expect(responses[0]).toMatchObject({ status: 404, headers: { 'x-service-api': 'beta' } });
  expect(responses[0]?.text).not.toContain('schedule');
});

test('a query string does not change the tool', () => {
  expect(call('credits.balance?confirm=true', {}).body.ok).toBe(true);
});

test('other methods and paths are refused in JSON', () => {
  expect(call('credits.balance', undefined, { method: 'GET' })).toMatchObject({
    status: 405,
    headers: { allow: 'POST' },
  });
  const elsewhere = stub.handle({ method: 'POST', path: '/api/v2/tools/credits.balance', headers: {}, body: null });
  expect(elsewhere.status).toBe(404);
  expect(JSON.parse(elsewhere.body)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
});
