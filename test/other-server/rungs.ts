import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Answer, refusal, type Source } from './answer.ts';
import { invalidArgument } from './arguments.ts';
import type { Key, Workspace, World } from './world.ts';

/** Workspace of a request with the rung that decided it, or the refusal. */
type Resolution = { workspace: Workspace; source: Source } | { refused: Answer };

/** Resolves the workspace ("Authentication", item 6). `argument` is the `workspace` of the request, if any. */
export const resolveWorkspace = (world: World, key: Key, argument: string | undefined): Resolution => {
  if (argument !== undefined) return resolveArgument(world, key, argument);
  if (key.pin) return { workspace: key.pin, source: 'key-pin' };
  if (key.fallback) return { workspace: key.fallback, source: 'stored-default' };
  const [only, second] = key.reaches;
  if (only && !second) return { workspace: only, source: 'sole-reachable' };
  const choices = passable(world, key);
  const message = 'There are several desks; say which one by passing "workspace".';
  const workspaces = world.options.ambiguousListSubset ? choices.slice(0, 2) : choices;
  return { refused: refusal(refusalCodes.workspaceAmbiguous, message, true, { workspaces }) };
};

const resolveArgument = (world: World, key: Key, argument: string): Resolution => {
  const { options } = world;
  const workspace = key.reaches.find(({ slug }) => slug === argument);
  if (workspace && key.pin && options.pinnedWithArgument === 'keep-pin')
    return { workspace: key.pin, source: 'key-pin' };
  if (workspace && passable(world, key).includes(argument)) return { workspace, source: 'call-override' };
  const message = 'No desk of that name is open to this key.';
  if (options.unknownWorkspaceAs === 'invalid') return { refused: invalidArgument(world, 'workspace', message) };
  const more = options.unknownWorkspaceLists ? { workspaces: passable(world, key) } : {};
  return { refused: refusal(options.codes.unknownWorkspace, message, true, more) };
};

/** Returns the slugs that the key may name, in random order. */
const passable = ({ options, random }: World, key: Key): string[] => {
  const onlyPin = key.pin !== undefined && options.pinnedWithArgument === 'refuse';
  const open = key.reaches.filter((workspace) => !onlyPin || workspace === key.pin);
  return random.shuffled(open.map(({ slug }) => slug));
};
