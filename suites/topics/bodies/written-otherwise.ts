import { accountTools, isWorkspaceScoped, plainTools, type ToolName } from '../../../fixtures/contract/tools.ts';
import type { StoryRequest } from '../steps.ts';
import { story } from '../story.ts';

/** Depth and size that any server must handle, because they are far below the usual limits. */
const depth = 300;

const large = 65_000;

const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Equivalent ways to send one JSON object. */
const writings: readonly ((text: string) => Partial<StoryRequest>)[] = [
  (body) => ({ body, headers: { 'content-type': 'application/json; charset=utf-8' } }),
  (body) => ({ body, headers: { 'content-type': 'application/json;charset=UTF-8' } }),
  (body) => ({ body: `\n${body}\r\n` }),
  (body) => ({ body: JSON.stringify(JSON.parse(body), null, '\t') }),
  (body) => ({ body: body.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`) }),
];

/** Digits of a number that is longer than the limit of some languages. */
const digits = 5000;

const furtherMembers = [
  `"tck_deep":${deep}`,
  `"tck_large":"${'x'.repeat(large)}"`,
  `"tck_number":${'9'.repeat(digits)}`,
  '"tck_\\ud800":1',
];

/** Equivalent bodies in other encodings, and bodies with additional members. */
export const writtenOtherwise = story('equivalent bodies', {
  steps: async (t) => {
    const tools = [...plainTools, ...accountTools];
    const turn = t.turn('equivalent bodies');
    const argsOf = (tool: ToolName) => (isWorkspaceScoped(tool) ? t.here() : {});
    const toolOf = (index: number) => tools[(turn + index) % tools.length] ?? 'schedule.read';
    for (const [index, write] of writings.entries()) {
      const tool = toolOf(index);
      const args = argsOf(tool);
      await t.sendOnce('send the usual body', { tool, args });
      await t.send('send an equivalent body', { tool, args, ...write(JSON.stringify(args)) });
    }
    for (const [index, member] of furtherMembers.entries()) {
      const tool = toolOf(index);
      const body = JSON.stringify(argsOf(tool));
      const more = `${body.slice(0, -1)}${body === '{}' ? '' : ','}${member}}`;
      await t.send('send a body with additional members', { tool, args: JSON.parse(more), body: more });
    }
  },
  alsoTests: ['arguments.anything-answered'],
});
