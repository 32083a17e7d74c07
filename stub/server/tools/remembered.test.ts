import { expect, test } from 'vitest';
import { clientOf } from '../../../test/stub/client.ts';
import { wednesdayNoon } from '../../../test/stub/standing-clock.ts';
import { createCore } from '../../core.ts';

const day = '2026-03-05';

test('a response at hand is what would be worked out anew', () => {
  let now = wednesdayNoon;
  const options = { clock: { now: () => now } };
  const [one, other] = [createCore(options), createCore(options)];
  const [often, once] = [clientOf(one), clientOf(other)];
  const ask = (call: typeof often) =>
    [
      call('schedule.read'),
      call('schedule.read', { workspace: 'south' }),
      call('content.status'),
      call('library.search'),
      call('library.search', { query: 'a' }),
      call('connections.status'),
      call('knowledge.search', { query: 'prices' }),
    ].map(({ text }) => text);
  const act: ((call: typeof often) => unknown)[] = [
    () => undefined,
    (call) => call('content.create_request', { format: 'posts', day }),
    (call) => call('content.create_request', { format: 'stories', day, workspace: 'south' }),
    (call) => {
      const request = { board: one.workspaces[0]?.board, brief: 'a cup', count: 1, shape: '1:1' };
      const { confirmation_id } = call('images.generate', request).body;
      call('images.generate', { ...request, confirmation_id });
    },
    () => {
      now += 12 * 3_600_000;
    },
    () => {
      now += 5 * 86_400_000;
    },
  ];
  for (const step of act) {
    step(often);
    step(once);
    const seen = [ask(often), ask(often), ask(often)];
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(ask(once)).toEqual(seen[0]);
  }
});

test('what is taken back is gone from answers at hand too', () => {
  const world = createCore();
  const call = clientOf(world);
  const snapshot = world.snapshot();
  const before = call('content.status').text;
  call('content.create_request', { format: 'posts', day });
  expect(call('content.status').text).not.toBe(before);
  world.restore(snapshot);
  expect(call('content.status').text).toBe(before);
});
