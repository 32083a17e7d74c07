import { expect, test } from 'vitest';
import { clientOf } from '../../test/stub/client.ts';
import { standingClock } from '../../test/stub/standing-clock.ts';
import { createStub } from '../index.ts';

const token = 'a token for tests';

const clockPath = '/__control/worlds/main/clock';

function controlled() {
  const stub = createStub({ clock: standingClock, control: { token } });
  const post = (body: string, given = token, path = clockPath, method = 'POST') => {
    const headers = { 'x-control-token': given };
    const response = stub.handle({ method, path, headers, body: Buffer.from(body) });
    return { status: response.status, body: JSON.parse(response.body) };
  };
  return { stub, post };
}

test('moving the clock answers with the new time, and moves everything that goes by it', () => {
  const { stub, post } = controlled();
  expect(post('{"seconds": 90}')).toEqual({ status: 200, body: { now: '2026-03-04T12:01:30.000Z', frozen: false } });
  expect(post('{"seconds": 0.5}').body.now).toBe('2026-03-04T12:01:30.500Z');
  expect(new Date(stub.now()).toISOString()).toBe('2026-03-04T12:01:30.500Z');
});

test('a missing or wrong token gets a plain refusal, wherever it is sent', () => {
  const { stub, post } = controlled();
  for (const path of [clockPath, '/__control/nothing']) {
    for (const wrong of ['', 'x', `${token}x`]) expect(post('{"seconds": 1}', wrong, path).status).toBe(401);
  }
  const bare = stub.handle({ method: 'POST', path: clockPath, headers: {}, body: null });
  expect(bare.status).toBe(401);
  expect(bare.headers).not.toHaveProperty('x-service-api');
  expect(stub.now()).toBe(standingClock.now());
});

const seconds = ['"1"', '-1', '1e99', 'null'].map((value) => `{"seconds":${value}}`);
test.each(['', 'x', '7', 'null', '[]', '{}', ...seconds])('a body of %j is refused and moves nothing', (body) => {
  const { stub, post } = controlled();
  expect(post(body)).toEqual({ status: 400, body: { problem: expect.stringContaining('seconds') } });
  expect(stub.now()).toBe(standingClock.now());
});

test('other controls and methods do not exist', () => {
  const { post } = controlled();
  expect(post('{}', token, '/__control/rewind').status).toBe(404);
  expect(post('{}', token, clockPath, 'PUT').status).toBe(405);
});

test('without being asked for, there is no control plane; each stub that makes its own token makes another one', () => {
  const stub = createStub({ clock: standingClock });
  expect(stub.control).toBeNull();
  const headers = { 'x-control-token': token };
  expect(stub.handle({ method: 'POST', path: clockPath, headers, body: null }).status).toBe(404);
  const [one, two] = [createStub({ control: true }), createStub({ control: true })];
  expect(one.control?.token).toMatch(/^[\w-]{32}$/);
  expect(two.control?.token).not.toBe(one.control?.token);
});

test('the control plane is not counted among the calls', () => {
  const { stub, post } = controlled();
  post('{"seconds": 1}');
  clientOf(stub)('credits.balance');
  expect(stub.stats.requests()).toBe(1);
});
