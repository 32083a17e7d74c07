import { roleEnv } from '../../fixtures/roles.ts';
import { effects } from '../../fixtures/side-effects.ts';
import { defaultMaxImages, defaultPace, type Target } from '../target.ts';
import { type createOtherServer, type OtherServer, roles } from './other-server/index.ts';

export { createOtherServer } from './other-server/index.ts';

/** How the second server is asked for. */
export type OtherOptions = NonNullable<Parameters<typeof createOtherServer>[0]>;

/**
 * The second server as a target, with all its roles, all effects allowed and its clock in hand; `given` replaces what
 * it names.
 */
export function otherTarget(server: OtherServer, given: Partial<Target> = {}): Target {
  const keys: Target['keys'] = {};
  for (const role of roles) {
    const baseUrl = server.baseUrls[role];
    const located = role === 'otherAccount' ? server.otherAccount : {};
    keys[role] = {
      role,
      key: server.keys[role],
      variable: roleEnv(role),
      ...located,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    };
  }
  return {
    baseUrl: server.baseUrl,
    kind: 'url',
    keys,
    workspaces: server.workspaces,
    shape: server.shape,
    allow: [...effects],
    maxImages: defaultMaxImages,
    clock: { advance: async (seconds) => server.advance(seconds) },
    pace: defaultPace,
    headers: [],
    secrets: Object.values(server.keys),
    ...given,
  };
}
