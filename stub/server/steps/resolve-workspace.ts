import type { Source } from '../../../fixtures/contract/enums.ts';
import { type Call, type Rung, type Step, settled } from '../behavior.ts';
import { refusal } from '../responses.ts';
import type { KeyState } from '../state/state.ts';

/**
 * The four rungs, in the order in which they are tried here; the specification does not show one ("Authentication",
 * item 6).
 */
export const rungs: readonly (readonly [Source, Rung])[] = [
  ['call-override', (_key, asked) => asked],
  ['key-pin', (key) => key.pin],
  ['stored-default', (key) => key.storedDefault],
  ['sole-reachable', (key) => (key.reach.length === 1 ? key.reach[0] : undefined)],
];

/** Settles the workspace of a call; credits belong to the account and need none. */
export const resolveWorkspace: Step = (call) => {
  const { behavior, state } = call;
  if (settled(call.tool, 'tool') === 'credits.balance') return undefined;
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

/** The same whether the workspace exists or not: whose it is, is nobody else's business. */
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

/** The order means nothing, and a client that takes the first for the usual one learns so. */
function inAnyOrder(slugs: readonly string[], chance: () => number): string[] {
  return slugs
    .map((slug) => ({ slug, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ slug }) => slug);
}
