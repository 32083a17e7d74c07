import { roleEnv, roles } from '../../fixtures/roles.ts';
import { effects } from '../../fixtures/side-effects.ts';
import { defaultMaxImages, defaultPace, type Target } from '../../suites/target/target.ts';
import type { ThirdServer } from './server.ts';

/** Returns the keys of the third server. */
export function thirdKeys(server: ThirdServer): Required<Target['keys']> {
  const keys = roles.map((role) => {
    const { secret, reach } = server.world.keys[role];
    const [workspace = ''] = reach;
    const place = role === 'otherAccount' ? { workspace, board: boardOf(server, workspace) } : {};
    return [role, { role, key: secret, variable: roleEnv(role), ...place }];
  });
  // Each role has a key.
  return Object.fromEntries(keys) as Required<Target['keys']>;
}

/** Returns the third server as a target with all keys, all side effects and its clock. `given` overrides properties. */
export function thirdTarget(server: ThirdServer, given: Partial<Target> = {}): Target {
  return {
    baseUrl: server.baseUrl,
    kind: 'url',
    keys: thirdKeys(server),
    workspaces: ['dock', 'pier'].map((slug) => ({ slug, board: boardOf(server, slug) })),
    shape: '1:1',
    allow: [...effects],
    maxImages: defaultMaxImages,
    clock: { advance: async (seconds) => server.advance(seconds) },
    pace: defaultPace,
    headers: [],
    secrets: Object.values(server.world.keys).map(({ secret }) => secret),
    ...given,
  };
}

export function boardOf({ world }: ThirdServer, slug: string): string {
  return world.workspaces.get(slug)?.boards[0] ?? '';
}
