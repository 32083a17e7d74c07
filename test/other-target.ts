import { roleEnv } from '../fixtures/roles.ts';
import { effects } from '../fixtures/side-effects.ts';
import { defaultMaxImages, defaultPace, type Target } from '../suites/target.ts';
import { type createOtherServer, type OtherServer, roles } from './other-server/index.ts';

export { createOtherServer } from './other-server/index.ts';

/** Options of the second server. */
export type OtherOptions = NonNullable<Parameters<typeof createOtherServer>[0]>;

/**
 * Returns the second server as a target with all roles, all side effects and its clock. `given` overrides properties.
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
