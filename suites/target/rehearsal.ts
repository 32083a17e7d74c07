import type { Target } from '../target.ts';
import type { KnownTarget } from './load.ts';

/**
 * The embedded stub, made to be known as little, and allowed as much, as a target: a run against it makes the calls
 * that a run against the target would make where that keeps to the specification. Time always can be moved there, so
 * that nothing waits.
 */
export function rehearsalOf(target: Target, stub: KnownTarget): Target {
  const keys: Target['keys'] = {};
  for (const key of Object.values(target.keys)) {
    const own = stub.keys[key.role];
    if (own === undefined) continue;
    const { workspace, board, ...bare } = own;
    keys[key.role] = {
      ...bare,
      ...(key.workspace === undefined || workspace === undefined ? {} : { workspace }),
      ...(key.board === undefined || board === undefined ? {} : { board }),
    };
  }
  const timely = target.clock !== undefined || target.allow.includes('waiting');
  const { clock, ...rest } = stub;
  return {
    ...rest,
    keys,
    workspaces: stub.workspaces.slice(0, target.workspaces.length).map(({ slug, board }, index) => ({
      slug,
      ...(target.workspaces[index]?.board === undefined || board === undefined ? {} : { board }),
    })),
    allow: target.allow,
    maxImages: target.maxImages,
    pace: { ...target.pace, requestsPerMinute: Number.POSITIVE_INFINITY },
    headers: [],
    ...(timely && clock !== undefined ? { clock } : {}),
  };
}
