import type { Source, ToolName } from '../../fixtures/contract/tools.ts';
import type { Call } from '../call.ts';
import type { KeyState } from '../state/state.ts';
import type { Deviation } from './patches.ts';
import { around, calls, settling } from './steps.ts';

export const asked = ({ args }: Call): string | undefined =>
  typeof args.workspace === 'string' ? args.workspace : undefined;
export const accountOf = ({ state }: Call, key: KeyState): readonly string[] =>
  state.accounts.get(key.account)?.workspaces ?? [];
export const everySlug = ({ state }: Call): string[] =>
  [...state.accounts.values()].flatMap(({ workspaces }) => workspaces);

/** Any workspace of any account. */
export const openTo = (tool: ToolName): Deviation =>
  settling((call) => {
    const slug = asked(call);
    return calls(tool)(call) && slug !== undefined && everySlug(call).includes(slug)
      ? [slug, 'call-override']
      : undefined;
  });

/** Leaves a rung out for one tool. */
export const withoutRung = (source: Source, tool: ToolName): Deviation =>
  around('resolveWorkspace', (resolve) => (call) => {
    if (!calls(tool)(call)) return resolve(call);
    const rungs = call.rules.rungs.filter(([name]) => name !== source);
    const climbing: Call = { ...call, rules: { ...call.rules, rungs } };
    const answer = resolve(climbing);
    call.place = climbing.place;
    return answer;
  });
