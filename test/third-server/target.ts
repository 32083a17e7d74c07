import { roleEnv, roles } from '../../fixtures/roles.ts';
import { effects } from '../../fixtures/side-effects.ts';
import { defaultMaxImages, defaultPace, type Target } from '../../suites/target/target.ts';
import type { ThirdServer } from './server.ts';

/** Returns the third server as a target with all keys, all side effects and its clock. `given` overrides properties. */
export function thirdTarget(server: ThirdServer, given: Partial<Target> = {}): Target {
  const keys: Target['keys'] = {};
  for (const role of roles) {
    const located = role === 'otherAccount' ? placeOf(server, 'meadow') : {};
    keys[role] = { role, key: server.keys[role], variable: roleEnv(role), ...located };
  }
  return {
    baseUrl: server.baseUrl,
    kind: 'url',
    keys,
    workspaces: ['dock', 'pier'].map((slug) => ({ slug, board: boardOf(server, slug) })),
    shape: '1:1',
    allow: [...effects],
    maxImages: defaultMaxImages,
    clock: { advance: async (seconds) => server.advance(seconds) },
    pace: defaultPace,
    headers: [],
    secrets: Object.values(server.keys),
    ...given,
  };
}

function boardOf({ world }: ThirdServer, slug: string): string {
  return world.workspaces.get(slug)?.boards[0] ?? '';
}

function placeOf(server: ThirdServer, account: string): { workspace: string; board: string } {
  const key = [...server.world.keys.values()].find((one) => one.account === account);
  const workspace = key?.reach[0] ?? '';
  return { workspace, board: boardOf(server, workspace) };
}
