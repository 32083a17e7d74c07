import { flow } from './flow.ts';
import { unknownName } from './plain-requests.ts';

const nearMisses = [
  'schedule.reads',
  'schedule.rea',
  'Schedule.Read',
  'schedule_read',
  'schedule-read',
  'schedule.read.json',
  'schedule',
  'credits.balance.',
  'content.create-request',
  'images.generate_',
  // As it stands in an address: with %20 at its end.
  'credits.balance%20',
];

const prototypeNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

/** Longer than the name of any tool, but not than a server has to bear. */
const longName = 128;

/** Names that are no tool, whatever they resemble. */
export const unknownTools = flow(
  'unknown tools',
  {
    lane: 'reading',
    witnesses: [
      'unknown-tools.unknown-404',
      'unknown-tools.near-misses-404',
      'unknown-tools.prototype-names-404',
      'unknown-tools.uniform-body',
      'unknown-tools.uniform-headers',
      'unknown-tools.name-not-in-body',
      'unknown-tools.name-not-in-headers',
    ],
  },
  async (t) => {
    await t.send('read', { tool: 'schedule.read', args: t.here() });
    const madeUp = [unknownName(t), unknownName(t).padEnd(longName, '.long')];
    await t.sendAll('ask for a tool that does not exist', [
      ...madeUp.map((tool) => ({ tool, args: {}, invented: ['tool'] })),
      ...[...nearMisses, ...prototypeNames].map((tool) => ({ tool, args: {} })),
    ]);
  },
);
