import { toolsWithoutSideEffects } from '../../../fixtures/contract/tools.ts';
import type { Role } from '../../../fixtures/roles.ts';
import { unknownTools as steps, unknownNames } from '../../model/rows/unknown-tools.ts';
import { witnessesOf } from '../declared/row-witnesses.ts';
import { story } from '../story.ts';

const nearMisses = [
  'schedule.reads',
  'schedule.rea',
  'Schedule.Read',
  'schedule',
  'content.create-request',
  'content.createRequest',
];

/** Members that every object has in JavaScript, Python, PHP or Perl. */
const prototypeNames = [
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', '__defineGetter__'],
  ...['__init__', '__class__', '__construct', 'can'],
];

/** Lengths above those of tool names, but within what servers must handle. */
const longNames = [128, 250];

/**
 * Names with singular and plural swapped, further names in the families of existing tools, and tools of similar
 * services, which a server may have retained or disabled.
 */
const relatives = [
  'credit.balance',
  'connection.status',
  'schedules.read',
  'contents.status',
  'images.list',
  'content.get',
  'images.edit',
  'schedule.write',
  'credits.purchase',
  'tools.list',
];

/** Returns a URL-encoded name in full-width letters, which compatibility normalization converts to ASCII. */
const wide = (text: string) =>
  encodeURIComponent(text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)));

/**
 * Functions that return a URL-encoded variant of a tool name. A server finds the tool under this name only if it
 * wrongly normalizes names.
 */
const families: readonly ((tool: string) => string)[] = [
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

/** Names that do not resemble a tool: other scripts, other characters and short ones. */
const strange = ['0', '%FF', '%D0%BA%D0%B0%D0%BB', '%E4%BA%88%E5%AE%9A', '*', 'null', '%F0%9F%A6%8A'];

export const unknownTools = story('unknown tools', {
  steps: async (t) => {
    // Leaves the rate limit of `primary` to the stories that need this key.
    const [as = 'primary'] = t.present<Role>(['ambiguous', 'defaulted']);
    await t.send('read', { tool: 'schedule.read', args: t.here(), as });
    const madeUp = [t.unknownTool(), ...longNames.map((length) => t.unknownTool().padEnd(length, '.long'))];
    const turn = t.turn('names of tools');
    const resembling = families.map((resemble, index) =>
      resemble(toolsWithoutSideEffects[(turn + index) % toolsWithoutSideEffects.length] ?? 'schedule.read'),
    );
    const names = [...nearMisses, ...relatives, ...prototypeNames, ...resembling, ...strange];
    await t.sendInParallel('call a tool that does not exist', [
      ...madeUp.map((tool) => ({ tool, args: {}, as, invented: ['tool'] })),
      // The arguments must not matter.
      ...names.map((tool, index) => ({ tool, args: index % 4 === 0 ? t.here({ query: 'a' }) : {}, as })),
    ]);
  },
  alsoTests: [...[...steps, ...unknownNames].map(({ id }) => id), ...witnessesOf(404)],
});
