import { readingTools, tools } from '../../fixtures/contract/tools.ts';
import { requirementId } from '../../fixtures/requirements/index.ts';
import { type Completed, isSuccess } from '../history/exchange.ts';
import { slugsIn } from '../rules/seen/choices.ts';
import { creating, titled } from './content.ts';
import { flow } from './flow.ts';
import { proposing } from './images.ts';
import { type Reading, readAll } from './read-all.ts';
import type { Args, Asked, Steps } from './steps.ts';
import { nameListed } from './unreachable.ts';

const as = 'ambiguous';

/** A request that leaves the workspace out. */
const unnamed = (t: Steps, step: string): Promise<Completed> => t.send(step, { tool: 'schedule.read', args: {}, as });

/** A workspace that the key may choose: the first that is listed, or the one worked in. */
function chosen(t: Steps, refusal: Completed): string {
  const reason = 'no workspace is known that this key reaches';
  return slugsIn(refusal)[0] ?? t.known.workspace ?? t.cannot(reason);
}

function withoutWorkspace({ asked }: Reading): Asked {
  const { workspace: _, ...args } = asked.args;
  return { ...asked, args, as };
}

/** Nothing chooses a workspace for a key that reaches several, whatever was asked before. */
export const ambiguousReadings = flow(
  'reading where nothing chooses a workspace',
  {
    lane: 'reading',
    needs: { roles: [as] },
    witnesses: [
      ...readingTools.map((tool) => requirementId(`workspaces.ambiguous-${tools[tool].slug}`)),
      'workspaces.ambiguous-lists-choices',
      'workspaces.ambiguous-choices-work',
    ],
  },
  async (t) => {
    const first = await unnamed(t, 'read the schedule');
    const readings = await readAll(t, 'name a workspace', { workspace: chosen(t, first) }, { as });
    const refusals = [first];
    for (const reading of readings) {
      refusals.push(await t.send('leave the workspace out', withoutWorkspace(reading)));
    }
    await t.send('read the schedule without a body', { tool: 'schedule.read', as });
    // The usual key shows that the tool works where a slug that is listed does not.
    if (t.has('primary')) await t.send('read as primary', { tool: 'schedule.read', args: t.here() });
    await nameListed(t, refusals, as);
    await unnamed(t, 'read the schedule again');
    if (refusals.every((refusal) => slugsIn(refusal).length === 0))
      t.cannot('no refusal of a request without a workspace lists workspaces');
  },
);

export const ambiguousRequests = flow(
  'content requests where nothing chooses a workspace',
  {
    lane: 'writing',
    needs: { roles: ['primary', as], effects: ['writes'] },
    uses: ['content'],
    witnesses: ['workspaces.ambiguous-create-request'],
  },
  async (t) => {
    const workspace = chosen(t, await unnamed(t, 'read the schedule'));
    const request = (change: Args) => creating(t, { title: titled(t, 'unnamed'), ...change }, { as });
    const refusal = await t.send('create without naming a workspace', request({ workspace: undefined }));
    await t.send('read the schedule there', { tool: 'schedule.read', args: { workspace }, as });
    await nameListed(t, [refusal], as, new Set([workspace]));
    const named = await t.send('create in a workspace that is named', request({ workspace }));
    if (!isSuccess(named)) return;
    await unnamed(t, 'read the schedule after that');
    await t.send('create without naming a workspace, after that', request({ workspace: undefined }));
  },
);

export const ambiguousProposals = flow(
  'proposals where nothing chooses a workspace',
  {
    lane: 'images',
    needs: { roles: ['primary', as], effects: ['proposals'], settings: ['board'] },
    uses: ['proposal'],
    witnesses: ['workspaces.ambiguous-images-generate'],
  },
  async (t) => {
    const workspace = chosen(t, await unnamed(t, 'read the schedule'));
    await t.send('read the schedule there', { tool: 'schedule.read', args: { workspace }, as });
    const refusal = await t.send('propose without naming a workspace', {
      ...proposing(t, { workspace: undefined }),
      as,
    });
    await nameListed(t, [refusal], as, new Set([workspace]));
  },
);
