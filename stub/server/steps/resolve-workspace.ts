import type { Source } from '../../../fixtures/contract/enums.ts';
import { isWorkspaceScoped } from '../../../fixtures/contract/tools.ts';
import { type Call, type Rung, type Step, settled } from '../behavior.ts';
import { refusal } from '../responses.ts';
import type { KeyState } from '../state/state.ts';

/**
 * The four ways to select a workspace, in the stub's order. The specification does not define the order
 * ("Authentication", item 6).
 */
export const rungs: readonly (readonly [Source, Rung])[] = [
  ['call-override', (_key, asked) => asked],
  ['key-pin', (key) => key.pin],
  ['stored-default', (key) => key.storedDefault],
  ['sole-reachable', (key) => (key.reach.length === 1 ? key.reach[0] : undefined)],
];

/** Selects the workspace of a request, unless the tool belongs to the account. */
export const resolveWorkspace: Step = (call) => {
  const { behavior, state } = call;
  if (!isWorkspaceScoped(settled(call.tool, 'tool'))) return undefined;
  const key = settled(call.key, 'key');
  const asked = typeof call.args.workspace === 'string' ? call.args.workspace : undefined;
  for (const [source, rung] of behavior.rungs) {
    const slug = rung(key, asked);
    if (typeof slug !== 'string') continue;
    if (!key.reach.includes(slug)) return unreachable(call, key);
    call.place = { workspace: state.workspace(slug), source };
    return undefined;
  }
  return key.reach.length === 0 ? unreachable(call, key) : ambiguous(call, key);
};

/** The response does not depend on whether the workspace exists, so it discloses nothing about other accounts. */
function unreachable({ behavior }: Call, key: KeyState) {
  return refusal('boundary', {
    code: behavior.codes.workspaceUnreachable,
    message: 'This key does not reach that workspace. Pass one of those listed as `workspace`.',
    workspaces: key.reach,
  });
}

function ambiguous({ behavior, state }: Call, key: KeyState) {
  return refusal('boundary', {
    code: behavior.codes.workspaceAmbiguous,
    message: 'This key reaches several workspaces. Ask a person which one is meant and pass it as `workspace`.',
    workspaces: inAnyOrder(key.reach, state.chance),
  });
}

/** Shuffles the choices, so that clients cannot rely on the first one being the default. */
function inAnyOrder(slugs: readonly string[], chance: () => number): string[] {
  return slugs
    .map((slug) => ({ slug, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ slug }) => slug);
}
