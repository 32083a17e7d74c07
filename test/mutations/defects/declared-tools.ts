import type { ResultRow } from '../../../fixtures/contract/tools/tool.ts';
import { type ToolName, toolNames, tools } from '../../../fixtures/contract/tools.ts';
import { declaredTopics, type RequirementId } from '../../../fixtures/requirements/model.ts';
import { type Defect, defect } from '../../../stub/variants/defect.ts';
import { changing, fields, list, result } from '../changes/responses.ts';
import { declining } from '../changes/steps.ts';
import { bodyWantedBy } from './boundary/bodies.ts';
import { picksFirst } from './workspaces.ts';

// One defect per requirement, for tools whose requirements are generated from their declarations.

type Declared = Extract<(typeof tools)[ToolName], { topic: (typeof declaredTopics)[number] }>;
type Entry = readonly [id: `${string}-${Declared['slug']}`, defect: Defect];

function defectsOf(tool: ToolName): Entry[] {
  const { slug, scoped, bodyOptional, requirements } = tools[tool];
  const isOptional = bodyOptional ? [bodyDefect(tool, slug)] : [];
  const isScoped = scoped ? [choiceDefect(tool, slug)] : [];
  // Object.entries widens the IDs.
  const rows = Object.entries(requirements) as [RequirementId, ResultRow][];
  return [...rows.map(([id, row]) => resultDefect(id, tool, row)), ...isOptional, ...isScoped] as Entry[];
}

function resultDefect(id: RequirementId, tool: ToolName, row: ResultRow): readonly [string, Defect] {
  const { slug } = tools[tool];
  const breaking = (what: string) => defect(what).breaks(id);
  switch (row.is) {
    case 'success':
      return [`declined-${slug}`, breaking(`refuses every ${tool} request`).by(declining(tool, () => true))];
    case 'member': {
      const without = changing(result(tool), fields({ [row.member]: undefined }));
      const what = `leaves out the member ${row.member} from the results of ${tool}`;
      return [`no-${row.member}-in-${slug}`, breaking(what).by(without)];
    }
    case 'sorted': {
      const reverse = list(row.list, (elements) => elements.toReversed());
      const reversed = changing(result(tool), reverse);
      return [`unsorted-${row.list}-in-${slug}`, breaking(`sorts ${row.list} in reverse order`).by(reversed)];
    }
  }
}

const bodyDefect = (tool: ToolName, slug: string) =>
  [
    `body-wanted-by-${slug}`,
    defect(`returns 400 for ${tool} without a body`).breaks(`bodies.omitted-${slug}`).by(bodyWantedBy(tool)),
  ] as const;

const choiceDefect = (tool: ToolName, slug: string) =>
  [
    `first-workspace-picked-for-${slug}`,
    defect(`picks the first workspace for ${tool} if the workspace is ambiguous`)
      .breaks(`workspaces.ambiguous-${slug}`)
      .by(picksFirst(tool)),
  ] as const;

const isDeclared = (tool: ToolName) => declaredTopics.some((topic) => topic === tools[tool].topic);

/** Object.fromEntries widens the IDs. */
export const declaredToolDefects = Object.fromEntries(toolNames.filter(isDeclared).flatMap(defectsOf)) as Readonly<
  Record<Entry[0], Defect>
>;
