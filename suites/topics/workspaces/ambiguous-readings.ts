import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { readingTools, toolsWithoutBody } from '../../../fixtures/contract/tools.ts';
import { isRole } from '../../../fixtures/roles.ts';
import { body, isRefusal } from '../../history/exchange.ts';
import { brief } from '../../json.ts';
import { row } from '../../model/row.ts';
import { slugsIn } from '../../situations/choices.ts';
import { type Reading, readAll } from '../requests/read-all.ts';
import type { StoryRequest } from '../steps.ts';
import { story } from '../story.ts';
import { choicesWork } from './choices.ts';
import { namingOnTheSide } from './named-workspaces.ts';
import { nameListed } from './slugs.ts';
import { as, chosen, refusesUnchosen, unnamed } from './unnamed.ts';

const scopedWithoutBody = toolsWithoutBody.filter((tool) => readingTools.some((reading) => reading === tool));

function withoutWorkspace({ asked }: Reading): StoryRequest {
  const { workspace: _, ...args } = asked.args;
  return { ...asked, args, as };
}

/** Sends requests without a workspace with a key that reaches several, also after requests that name one. */
export const ambiguousReadings = story('ambiguous readings', {
  needs: { roles: [as] },
  steps: async (t) => {
    const first = await unnamed(t, 'read the schedule');
    const readings = await readAll(t, 'request a workspace', { workspace: chosen(t, first) }, { as });
    const refusals = [first];
    for (const reading of readings) {
      refusals.push(await t.send('omit the workspace', withoutWorkspace(reading)));
    }
    for (const tool of scopedWithoutBody) await t.send('send no body', { tool, as });
    const elsewhere = namingOnTheSide(chosen(t, first));
    await t.send('request a workspace in headers and in the query', {
      tool: 'schedule.read',
      args: {},
      as,
      ...elsewhere,
    });
    // Shows that the tool works, in case a listed slug does not.
    if (t.has('primary')) await t.send('read as primary', { tool: 'schedule.read', args: t.here() });
    await nameListed(t, refusals, as);
    await unnamed(t, 'read the schedule again');
    if (refusals.every((refusal) => slugsIn(refusal).length === 0))
      t.cannot('no refusal of a request without a workspace lists workspaces');
  },
  requirements: [
    ...readingTools.map(refusesUnchosen),
    row('workspaces.ambiguous-lists-choices', {
      must: `The server MUST list at least two distinct slugs in \`workspaces\` of ${quoted.workspaceAmbiguous}.`,
      source: `What the service does, rule 4; Errors, ${refusalCodes.workspaceAmbiguous}`,
      judges: 'every refusal',
      applies: (exchange) =>
        isRefusal(exchange, refusalCodes.workspaceAmbiguous) &&
        exchange.request.args?.workspace === undefined &&
        (['ambiguous', 'primary', null].includes(exchange.sender.role) || !isRole(String(exchange.sender.role))),
      expect: (exchange) => {
        if (new Set(slugsIn(exchange)).size >= 2) return undefined;
        return {
          at: { member: ['workspaces'] },
          got: body(exchange).workspaces,
          expected: `${exchange.request.tool}: workspaces to list at least two distinct slugs`,
          actual: `workspaces ${brief(body(exchange).workspaces)}`,
          hint: 'List each workspace that the key reaches once, for every tool: a person chooses one of them.',
        };
      },
    }),
    row('workspaces.ambiguous-choices-work', {
      must: `The server MUST accept, from the same key, every slug that ${quoted.workspaceAmbiguous} lists.`,
      source: `What the service does, rule 4; Errors, ${refusalCodes.workspaceAmbiguous}`,
      ...choicesWork('ambiguous'),
    }),
  ],
});
