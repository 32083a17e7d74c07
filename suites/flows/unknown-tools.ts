import { toolsWithoutSideEffects } from '../../fixtures/contract/tools.ts';
import { flow } from './flow.ts';
import { unknownName } from './plain-requests.ts';

const nearMisses = [
  'schedule.reads',
  'schedule.rea',
  'Schedule.Read',
  'schedule',
  'content.create-request',
  'content.createRequest',
];

/** Names that every object has, in JavaScript and in Python. */
const prototypeNames = [
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', '__defineGetter__'],
  ...['__init__', '__class__'],
];

/** Longer than the name of any tool, but not than a server has to bear. */
const longNames = [128, 250];

/** Singular for plural and the other way round, and names of the families that tools have. */
const relatives = [
  'credit.balance',
  'connection.status',
  'schedules.read',
  'contents.status',
  'images.list',
  'content.get',
];

/** Tools that services of this kind have: switched off or left over, they are no tools of this API. */
const leftOver = [
  ...['images.edit', 'images.delete', 'content.delete', 'content.update', 'schedule.write', 'library.list'],
  ...['knowledge.add', 'connections.connect', 'credits.purchase', 'workspaces.list', 'boards.list', 'admin.keys'],
  ...['tools.list', 'rpc.discover', 'system.health', 'ping'],
];

/** Full-width letters, which compatibility normalization makes the usual ones; as they stand in an address. */
const wide = (text: string) =>
  encodeURIComponent(text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)));

/**
 * What a server may do to a name before it looks it up, each undone for the name of a tool: names that it must not
 * find. As they stand in an address.
 */
export const families: readonly ((tool: string) => string)[] = [
  (tool) => `${tool}.`,
  (tool) => `${tool};v=2`,
  (tool) => `${tool}%20`,
  (tool) => `%20${tool}`,
  (tool) => `${tool}%00`,
  (tool) => tool.replace('.', '%252E'),
  (tool) => tool.replace('.', '_'),
  (tool) => tool.replace('.', '-'),
  (tool) => tool.replace('.', 'x'),
  (tool) => tool.toUpperCase(),
  (tool) => tool.replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase()),
  (tool) => tool.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase()),
  (tool) => tool.replace(/\.(.)/, (_, letter: string) => `.${letter.toUpperCase()}`),
  (tool) => wide(tool),
  (tool) => `${tool}.json`,
  (tool) => `${tool}.v1`,
  (tool) => `${tool}@1.0.0`,
  (tool) => `${tool.split('.').reverse().join('.')}`,
  (tool) => `${tool}+`,
  (tool) => `%22${tool}%22`,
  (tool) => tool.replace('.', '%E2%80%8B.'),
  (tool) => tool.replace('.', '..'),
  (tool) => tool.replace('.', ','),
  (tool) => tool.replace('.', ':'),
  (tool) => tool.replace('.', ''),
  (tool) => tool.replace(/[aeiou]/, (letter) => `${letter}%CC%81`),
  (tool) => `tools.${tool}`,
  (tool) => `tools:${tool}`,
  (tool) => `v1.${tool}`,
  (tool) => `.${tool}`,
];

/** Names that resemble no tool: of other scripts, kinds and lengths. */
const strange = ['0', '%D0%BA%D0%B0%D0%BB', '%E4%BA%88%E5%AE%9A', '*', 'null', '%F0%9F%A6%8A'];

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
    const madeUp = [unknownName(t), ...longNames.map((length) => unknownName(t).padEnd(length, '.long'))];
    const turn = t.text('names of tools').charCodeAt(0);
    const resembling = families.map((resemble, index) =>
      resemble(toolsWithoutSideEffects[(turn + index) % toolsWithoutSideEffects.length] ?? 'schedule.read'),
    );
    const names = [...nearMisses, ...relatives, ...leftOver, ...prototypeNames, ...resembling, ...strange];
    await t.sendAll('ask for a tool that does not exist', [
      ...madeUp.map((tool) => ({ tool, args: {}, invented: ['tool'] })),
      // What they are asked with makes no difference.
      ...names.map((tool, index) => ({ tool, args: index % 4 === 0 ? t.here({ query: 'a' }) : {} })),
    ]);
  },
);
