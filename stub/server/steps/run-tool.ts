import { isWorkspaceScoped, type ToolName } from '../../../fixtures/contract/tools.ts';
import { type Step, settled, type ToolCall } from '../behavior.ts';
import type { ApiResponse } from '../responses.ts';

export const runTool: Step = ({ tool, state, behavior, request, key, args, place }) => {
  const name = settled(tool, 'tool');
  const holder = settled(key, 'key');
  const account = settled(state.accounts.get(holder.account), 'account');
  if (isWorkspaceScoped(name)) settled(place, 'workspace');
  // The arguments match the schema of this tool. TypeScript cannot infer that through a lookup table.
  const run = behavior.tools[name] as (
    call: Omit<ToolCall<ToolName>, 'args' | 'place'> & { args: unknown; place: unknown },
  ) => ApiResponse;
  return run({ state, behavior, request, key: holder, account, args, place });
};
