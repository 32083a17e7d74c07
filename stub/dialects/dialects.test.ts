import { expect, test } from 'vitest';
import { agree, type DialectName, dialectNames, dialectOf, dialects, hostileMixture } from '../../fixtures/dialects.ts';
import { requirements } from '../../fixtures/requirements/index.ts';
import { roles } from '../../fixtures/roles.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import { seededRandom } from '../../fixtures/world/seeded.ts';
import { createCore, type StubCore } from '../core.ts';
import { clientOf } from '../testing/client.ts';
import { standingClock } from '../testing/standing-clock.ts';
import { chooseDialects, combineDialects, dialectsOf } from './index.ts';

/** What a stub answers to calls of many kinds, with the way in which it is delivered. */
function transcript(stub: StubCore): string[] {
  const lines: string[] = [stub.roles.join(), stub.basePath];
  const call = clientOf({
    ...stub,
    handle(request) {
      const response = stub.handle(request);
      lines.push(JSON.stringify(response));
      return response;
    },
  });
  for (const role of roles) {
    for (const tool of ['schedule.read', 'content.status', 'connections.status', 'credits.balance', 'nothing']) {
      call(tool, {}, { role });
    }
  }
  const { items } = call('library.search', { query: '' }).body;
  call('library.search');
  call('library.get', { kind: items[0]?.kind, id: 'nothing' });
  call('library.get', { kind: 5, id: 5 });
  call('knowledge.search', { query: 'é', odd: 1 });
  call('schedule.read', { workspace: 'nowhere' });
  call('schedule.read', { workspace: 'north' }, { role: 'pinned' });
  call('library.get', {}, { role: 'ambiguous' });
  call('nothing', {}, { authorization: null });
  for (const raw of ['[1,2]', `[${Array(200).fill(0)}]`, ' ', '{']) call('credits.balance', undefined, { raw });
  call('credits.balance', undefined, { raw: '{', authorization: null });
  call('credits.balance', undefined, { raw: '{', role: 'withoutAccess' });
  const request = { format: 'posts', day: '2026-03-06', title: 'x' };
  for (const more of [{}, { day: '2026-02-30' }, { day: '2026-02-03' }, { title: '𝒳'.repeat(150) }, { title: null }]) {
    call('content.create_request', { ...request, ...more });
  }
  const [north, south] = stub.workspaces;
  const images = { board: north?.board, brief: 'a cup', count: 1, shape: stub.shape };
  const propose = (more = {}) => call('images.generate', { ...images, ...more }).body.confirmation_id;
  propose({ count: 2 });
  propose({ shape: '1:1' });
  for (const more of [{ board: south?.board }, { brief: 'a mug' }, {}]) {
    call('images.generate', { ...images, confirmation_id: propose(), ...more });
  }
  call('images.generate', { ...images, confirmation_id: propose() }, { role: 'defaulted' });
  call('images.generate', { ...images, workspace: 'north', confirmation_id: propose() }, { role: 'defaulted' });
  for (const minutes of [25, 35]) {
    const confirmation_id = propose();
    stub.advance(minutes * 60);
    call('images.generate', { ...images, confirmation_id });
  }
  for (let calls = 0; calls < 40; calls++)
    call(calls % 2 === 0 ? 'credits.balance' : 'nothing', {}, { role: 'throttled' });
  return lines;
}

const plain = transcript(createCore({ clock: standingClock }));

test.each(dialectNames)('%s is seen by somebody who calls', (name) => {
  const stub = createCore({ clock: standingClock, rules: combineDialects([name]) });
  expect(transcript(stub)).not.toEqual(plain);
});

test('every dialect says what it does and where the document leaves room for it', () => {
  const advice = new Set<string>(requirements.filter(({ level }) => level === 'should').map(({ id }) => id));
  for (const name of dialectNames) {
    const { what, room, against = [], decides } = dialectOf(name);
    expect({ what, room }).not.toContain('');
    expect(against.filter((id) => !advice.has(id))).toEqual([]);
    const alternatives = dialectNames.filter((other) => dialectOf(other).decides === decides);
    if (decides !== undefined) expect(alternatives.length, name).toBeGreaterThan(1);
  }
  expect(Object.keys(dialects).length).toBeGreaterThan(60);
});

test('dialects are chosen by name; what is unknown or contradicts is wrong usage', () => {
  expect(dialectsOf({ dialect: ['pin-stays,nulls', 'nulls'] }, 1)).toEqual(['pin-stays', 'nulls']);
  expect(() => chooseDialects(['pin-stay'])).toThrow(
    new UsageError("there is no dialect 'pin-stay'; did you mean 'pin-stays'?"),
  );
  expect(() => chooseDialects(['constructor'])).toThrow(UsageError);
  expect(() => chooseDialects(['pin-stays', 'pin-refuses'])).toThrow(
    'contradict each other: pinned key with an argument',
  );
});

test('dialects are applied in the order of their catalogue, whatever the order of their names', () => {
  const names: DialectName[] = ['pretty-printed', 'changing-extras', 'escaped-letters', 'plus-zero'];
  const transcripts = [names, names.toReversed()].map((ordered) =>
    transcript(createCore({ clock: standingClock, rules: combineDialects(ordered) })),
  );
  expect(transcripts[0]).toEqual(transcripts[1]);
});

test('a hostile mixture depends on its seed alone, contradicts itself nowhere and takes nothing away', () => {
  const mixtures = Array.from({ length: 50 }, (_, seed) => hostileMixture(seededRandom(seed)));
  expect(hostileMixture(seededRandom(7))).toEqual(mixtures[7]);
  for (const mixture of mixtures) {
    for (const one of mixture) expect(mixture.every((other) => one === other || agree(one, other))).toBe(true);
    expect(mixture.filter((name) => dialectOf(name).hostile === false)).toEqual([]);
  }
  const ever = new Set(mixtures.flat());
  expect(dialectNames.filter((name) => dialectOf(name).hostile !== false && !ever.has(name))).toEqual([]);
  expect(dialectsOf({ hostile: true, dialect: ['huge-cap'] }, 7)).toContain('huge-cap');
  expect(dialectsOf({ hostile: true, dialect: ['huge-cap'] }, 7)).not.toContain('small-cap');
});
