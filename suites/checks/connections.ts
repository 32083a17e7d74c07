import { check } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { succeeds } from '../expect/answers.ts';
import { fieldsOf } from '../scenes/results.ts';

const tool = 'connections.status';
const field = fieldsOf(tool, 'ConnectionsStatusResult', async (t: Context) => [await t.call(tool, t.here())]);
const hint = 'each of the three groups is an array, empty where no provider belongs to it';

export const connections = [
  check({
    requirement: 'connections.answers',
    async run(t) {
      t.expect(succeeds(await t.call(tool, t.here()), 'connections.status needs no arguments beside the workspace'));
    },
  }),
  field('connections.connected', 'connected', hint),
  field('connections.needs-attention', 'needs_attention', hint),
  field('connections.available', 'available', hint),
];
