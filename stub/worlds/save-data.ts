import type { WorldData } from '../../fixtures/world/data.ts';
import type { State } from '../server/state/state.ts';

/**
 * Exports the state of a sandbox as data that a new sandbox can start with: the given data plus every change. Excludes
 * open proposals, rate windows and faults, because they are short-lived.
 */
export function dataOf(state: State, given: WorldData = {}): WorldData {
  const { seed } = state.world;
  const workspaces = { ...given.workspaces };
  for (const { slug, requested, generated, content } of state.touched()) {
    if (requested.length + generated.length === 0) continue;
    workspaces[slug] = {
      ...workspaces[slug],
      ...(requested.length === 0
        ? {}
        : { requested: requested.map((piece) => ({ ...piece, platforms: [...piece.platforms] })) }),
      ...(generated.length === 0
        ? {}
        : {
            library: [...generated, ...content.library].map(({ listed, description, tags }) => {
              return { ...listed, description, tags: [...tags] };
            }),
          }),
    };
  }
  const keys = [...state.keys.values()].map(
    ({ role, state: now, capability, reach, pin, storedDefault, rateLimit }) => {
      return [role, { state: now, capability, reach: [...reach], pin, storedDefault, rateLimit }] as const;
    },
  );
  const accounts = [...state.accounts.values()].map(({ id, name, credits, apiSwitch }) => {
    return [id, { name, credits, apiSwitch }] as const;
  });
  return {
    seed,
    now: new Date(state.clock.now()).toISOString(),
    workspaces,
    accounts: Object.fromEntries(accounts),
    keys: Object.fromEntries(keys),
  };
}
