import type { ToolName } from '../../../fixtures/contract/tools.ts';
import { type Step, settled, type ToolCall } from '../call.ts';
import type { Answer } from '../responses.ts';

/** Runs the tool with what the steps before have found out. */
export const runTool: Step = ({ tool, state, rules, request, key, args, place }) => {
  const name = settled(tool, 'tool');
  const holder = settled(key, 'key');
  const account = settled(state.accounts.get(holder.account), 'account');
  if (name !== 'credits.balance') settled(place, 'workspace');
  // The arguments were parsed by the schema of this very tool; the compiler cannot follow that through a table.
  const run = rules.tools[name] as (
    call: Omit<ToolCall<ToolName>, 'args' | 'place'> & { args: unknown; place: unknown },
  ) => Answer;
  return run({ state, rules, request, key: holder, account, args, place });
};
