import { expect, test } from 'vitest';
import { type DefectId, defects, isDefect } from '../../fixtures/defects.ts';
import { requirements } from '../../fixtures/requirements/index.ts';
import { roles } from '../../fixtures/roles.ts';
import { UsageError } from '../../fixtures/usage-error.ts';
import { createCore, type StubCore } from '../core.ts';
import { clientOf } from '../testing/client.ts';
import { standingClock } from '../testing/standing-clock.ts';
import { combineDefects, deviations } from './index.ts';

const ids = Object.keys(deviations).filter(isDefect);

/** What a stub answers to calls of every kind, as text. */
function transcript(stub: StubCore): string[] {
  const lines: string[] = [];
  const call = clientOf(stub);
  const say = (...[tool, args, how]: Parameters<typeof call>) => {
    const reply = call(tool, args, how);
    lines.push(
      `${tool} ${JSON.stringify(args)} ${JSON.stringify(how)} ${reply.status} ${JSON.stringify(reply.headers)} ${reply.text}`,
    );
    return reply.body;
  };
  const scheme = { authorization: `Token ${stub.keys.primary}` };
  const [item] = say('library.search', {}).items;
  for (const role of roles) {
    for (const tool of ['schedule.read', 'connections.status', 'content.status', 'credits.balance', 'schedule.write']) {
      say(tool, {}, { role });
    }
    say('library.get', { kind: item.kind, id: item.id }, { role });
    say('knowledge.search', { query: ' who? ', workspace: 'south' }, { role });
  }
  say('credits.balance', {}, scheme);
  for (const raw of ['[]', 'null', '7']) say('credits.balance', undefined, { raw });
  say('library.get', { id: item.id });
  say('library.get', {});
  say('content.create_request', { format: 'posts', day: '2026-03-05', title: 'x'.repeat(200) });
  const [north, south] = stub.workspaces;
  const images = { board: north?.board, brief: 'a cup', count: 2, shape: '1:1' };
  const propose = () => say('images.generate', images).confirmation_id;
  const confirm = (confirmation_id: string, more = {}) =>
    say('images.generate', { ...images, ...more, confirmation_id });
  const [used, elsewhere, young, old] = [propose(), propose(), propose(), propose()];
  confirm(used, { count: 3 });
  confirm(used);
  confirm('');
  confirm(elsewhere, { workspace: south?.slug });
  say('images.generate', { ...images, board: 'brd_none' });
  say('credits.balance');
  stub.advance(20 * 60);
  confirm(young);
  stub.advance(25 * 60);
  confirm(old);
  for (let calls = 0; calls < 20; calls++) say('credits.balance', {}, { role: 'throttled' });
  for (let calls = 0; calls < 20; calls++) say('schedule.read', {}, { role: 'throttled' });
  for (let calls = 0; calls < 590; calls++) call('credits.balance', {}, { role: 'sole' });
  say('credits.balance', {}, { role: 'defaulted' });
  return lines;
}

const honest = transcript(createCore({ clock: standingClock }));

test.each(ids)('%s is seen by somebody who calls', (id: DefectId) => {
  const stub = createCore({ clock: standingClock, rules: combineDefects([id]) });
  expect(transcript(stub)).not.toEqual(honest);
});

test('defects name requirements that exist, each at least one', () => {
  const known = new Set<string>(requirements.map((requirement) => requirement.id));
  for (const { breaks, what } of Object.values(defects)) {
    expect(what).not.toBe('');
    for (const id of breaks) expect(known).toContain(id);
  }
});

test('every topic has a defect', () => {
  const broken = new Set(Object.values(defects).flatMap(({ breaks }) => breaks.map((id) => id.split('.')[0])));
  expect([...broken].sort()).toEqual([...new Set(requirements.map(({ topic }) => topic))].sort());
});

test('several defects can be had at once, and one that is none is wrong usage', () => {
  const call = clientOf(createCore({ rules: combineDefects(['balance-as-text', 'query-trimmed']) }));
  expect(call('credits.balance').body.balance).toBeTypeOf('string');
  expect(call('knowledge.search', { query: ' x ' }).body.query).toBe('x');
  expect(() => combineDefects(['constructor'])).toThrow(UsageError);
});
