import { type ToolName, tools } from '../fixtures/contract/tools.ts';
import type { RequirementId } from '../fixtures/requirements/model.ts';
import type { Fields } from './third-server/model.ts';

/** The requirements that a tool chooses none of several workspaces, in the order in which defects name them. */
export const ambiguousOfTools = [
  'workspaces.ambiguous-schedule-read',
  'workspaces.ambiguous-content-status',
  'workspaces.ambiguous-library-search',
  'workspaces.ambiguous-library-get',
  'workspaces.ambiguous-knowledge-search',
  'workspaces.ambiguous-connections-status',
  'workspaces.ambiguous-create-request',
  'workspaces.ambiguous-images-generate',
] as const satisfies readonly RequirementId[];

/** An argument of a tool, as its declaration describes it. */
export interface DeclaredArgument {
  readonly name: string;
  readonly required: boolean;
  readonly accepts: (value: unknown) => boolean;
}

/**
 * Returns the arguments of a tool from its declaration. The third server uses the declaration for tools that it
 * has no code for, so a new tool of the specification does not change the server.
 */
export function declaredArguments(tool: ToolName): DeclaredArgument[] {
  return Object.entries(tools[tool].arguments.shape).map(([name, schema]) => ({
    name,
    required: !schema.safeParse(undefined).success,
    accepts: (value) => schema.safeParse(value).success,
  }));
}

/** Returns the first example result of a tool, without the members that describe its workspace. */
export function exampleResult(tool: ToolName): Fields {
  const [example] = Object.values(tools[tool].examples);
  const own = Object.entries(example?.response ?? {}).filter(([name]) => name !== 'workspace' && name !== 'working_in');
  return JSON.parse(JSON.stringify(Object.fromEntries(own)));
}
