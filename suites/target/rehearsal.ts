import type { Target } from '../target.ts';
import type { KnownTarget } from './load.ts';

/**
 * Returns the embedded stub with the roles, workspaces and side effects of a target. A run against the stub sends the
 * same requests as a run against the target, if the target conforms. If time may pass at the target, the kit advances
 * the stub's clock, so nothing waits.
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
