import { expect, test } from 'vitest';
import { limits } from '../../fixtures/contract/limits.ts';
import { clientOf } from '../../test/stub/client.ts';
import { standingClock } from '../../test/stub/standing-clock.ts';
import { createStub } from '../index.ts';
import type { Switches } from './switches.ts';
import type { World } from './world.ts';
import { mostWorlds } from './worlds.ts';

/** Client of one sandbox that sends its requests to the host, as HTTP clients do. */
function through(stub: ReturnType<typeof createStub>, world: World) {
  return clientOf({ ...world, handle: stub.handle });
}

test('a key finds its world, and worlds share nothing that can change', () => {
  const stub = createStub();
  const [one, two] = [stub.mint(), stub.mint()];
  const keys = [stub, one, two].flatMap(({ keys }) => Object.values(keys));
  expect(new Set(keys).size).toBe(keys.length);
  through(stub, one)('content.create_request', { format: 'posts', day: '2026-03-05', title: 'Mine' });
  expect([stub, one, two].map(({ stats }) => stats.contentRequestsCreated)).toEqual([0, 1, 0]);
  one.clock.advance(3600);
  expect(one.clock.now() - two.clock.now()).toBeGreaterThan(3_500_000);
  const replies = [one, two].map((world) => through(stub, world)('library.search').text);
  expect(replies[0]).toBe(replies[1]);
  expect(through(stub, stub.mint({ seed: 8 }))('library.search').text).not.toBe(replies[0]);
});

test("a world's own base URL is its own for unknown keys too", () => {
  const stub = createStub();
  const world = stub.mint({ deviation: (behavior) => ({ ...behavior, basePath: '/edge' }) });
  const at = (path: string) =>
    stub.handle({ method: 'POST', path: `${path}/api/v1/tools/schedule.read`, headers: {}, body: null }).status;
  expect(at(`/~${world.id}/edge`)).toBe(401);
  expect(world.stats.requests({ role: 'nobody' })).toBe(1);
  expect(at('/~w99')).toBe(401);
  expect(world.stats.requests()).toBe(1);
});

test('a world that ends is gone, and its keys with it', async () => {
  const stub = createStub();
  const world = stub.mint();
  const call = through(stub, world);
  expect(call('credits.balance').status).toBe(200);
  await world[Symbol.asyncDispose]();
  expect(call('credits.balance').status).toBe(401);
});

test('of too many worlds the one that was idle for longest makes room', () => {
  const stub = createStub();
  const worlds = Array.from({ length: mostWorlds }, () => stub.mint());
  const [first, second] = worlds;
  if (first === undefined || second === undefined) throw new Error('no worlds');
  through(stub, first)('credits.balance');
  stub.mint();
  expect(through(stub, first)('credits.balance').status).toBe(200);
  expect(through(stub, second)('credits.balance').status).toBe(401);
});

test.each([
  [{ seed: 0.5 }, 'seed'],
  [{ seed: -1 }, 'seed'],
  [{ size: 1001 }, 'size'],
  [{ rateLimit: 0 }, 'rateLimit'],
  [{ now: 'noon' }, ': now: expected a time such as 2027-03-08T09:00:00Z, got "noon".'],
  [{ data: [] as object }, 'data: expected an object as data.schema.json describes it, got [].'],
  [{ variants: ['no-such-variant'] }, 'no-such-variant'],
  [{ defects: ['no-such-defect'] }, 'no-such-defect'],
])('neither a world nor a stub can begin with %j', (options, what) => {
  expect(() => createStub().mint(options)).toThrow(what);
  expect(() => createStub(options)).toThrow(what);
});

test('unknown options are refused', async () => {
  const unknown: object = { seeed: 3 };
  expect(() => createStub().mint(unknown)).toThrow('Unrecognized key: "seeed"');
  expect(() => createStub(unknown)).toThrow('A stub: Unrecognized key: "seeed"');
  expect(() => createStub({ control: 'secret' } as object)).toThrow('A stub: control: expected');
  await expect(createStub().listen(unknown)).rejects.toThrow('A listener: Unrecognized key: "seeed"');
});

test('the size of a world is the size of its libraries', () => {
  const total = (size: number) => clientOf(createStub({ size }))('library.search').body.total;
  expect([0, 3, 300].map(total)).toEqual([0, 6, 600]);
});

test('what is too much is forgotten, oldest first', () => {
  const most = 1000;
  const stub = createStub({ rateLimit: 100_000 });
  const call = clientOf(stub);
  for (let count = 0; count < most + 3; count++) {
    call('content.create_request', { format: 'posts', day: '2026-03-05' });
  }
  expect(stub.state().created).toHaveLength(most);
  expect(stub.stats.contentRequestsCreated).toBe(most + 3);
});

test('switches act at once, and only where they were thrown', () => {
  const world = createStub();
  const call = clientOf(world);
  const status = (role: 'primary' | 'sole' | 'defaulted') => call('credits.balance', {}, { role }).status;
  world.switch('primary', { key: 'revoked' });
  expect([status('primary'), status('sole')]).toEqual([401, 200]);
  world.switch('primary', { key: 'live', capability: false });
  expect([status('primary'), status('sole')]).toEqual([403, 200]);
  world.switch('primary', { capability: true, accountSwitch: false });
  expect([status('primary'), status('sole')]).toEqual([403, 403]);
  world.switch('primary', { accountSwitch: true, platformSwitch: false });
  expect([status('primary'), status('sole')]).toEqual([403, 403]);
  world.switch('primary', { platformSwitch: true, balance: 3 });
  expect(call('credits.balance').body.balance).toBe(3);
  world.switch('defaulted', { storedDefault: 'south' });
  const place = () => call('schedule.read', {}, { role: 'defaulted' }).body.working_in;
  expect(place()).toMatchObject({ workspace: 'south', source: 'stored-default' });
  world.switch('defaulted', { pin: 'north' });
  expect(place()).toMatchObject({ workspace: 'north', source: 'key-pin' });
  world.switch('sole', { rateLimit: 2 });
  expect([status('sole'), status('sole')]).toEqual([429, 429]);
  const before = world.state();
  expect(() => world.switch('sole', { key: 'revoked', pin: 'north' })).toThrow("does not reach 'north'");
  const wrong = [{ rateLimit: -1 }, { rateLimit: 0.5 }, { balance: Number.NaN }, { capability: 'no' }, { keys: 1 }];
  for (const each of wrong) expect(() => world.switch('sole', each as Switches)).toThrow(Object.keys(each)[0]);
  expect(world.state().keys).toEqual(before.keys);
});

test('the choices of an ambiguous call come in any order, the same for the same seed', () => {
  const orders = (seed: number) => {
    const call = clientOf(createStub({ seed }));
    return Array.from({ length: 12 }, () => call('schedule.read', {}, { role: 'ambiguous' }).body.workspaces);
  };
  const [one, again] = [orders(1), orders(1)];
  expect(again).toEqual(one);
  expect(new Set(one.map(([first]) => first))).toEqual(new Set(['north', 'south', 'east']));
  for (const list of one) expect(list.toSorted()).toEqual(['east', 'north', 'south']);
});

test('proposals can be made to expire without moving the clock', () => {
  const world = createStub();
  const call = clientOf(world);
  const request = { board: world.workspaces[0]?.board, brief: 'a cup', count: 1, shape: '1:1' };
  const { confirmation_id } = call('images.generate', request).body;
  const open = { confirmation_id, role: 'primary', workspace: 'north', person: null };
  expect(world.state().proposals).toMatchObject([open]);
  world.expireProposals();
  expect(world.state().proposals).toEqual([]);
  expect(call('images.generate', { ...request, confirmation_id }).body.code).toBe('confirmation_invalid');
});

test('a person answers to proposals that wait, and to no others', () => {
  const world = createStub({ clock: standingClock });
  const call = clientOf(world);
  const request = { board: world.workspaces[0]?.board, brief: 'a cup', count: 1, shape: '1:1' };
  const { confirmation_id: id } = call('images.generate', request).body;
  world.advance(limits.confirmation.about * 60 - 1);
  world.person.approve(id);
  world.advance(1);
  expect(() => world.person.deny(id)).toThrow(`The proposal with the id '${id}' has expired`);
  expect(() => world.person.approve('cnf_none')).toThrow("There is no open proposal with the id 'cnf_none'");
  const said = world.journal().events.flatMap((event) => (event.kind === 'person' ? [event.act] : []));
  expect(said).toEqual(['approved']);
});
