import { saveList } from './lists.ts';
import type { State, WorkspaceState } from './state.ts';

/**
 * Saves the state of a sandbox. The returned function restores it in place: maps and lists keep their identity, because
 * other modules hold references to them.
 */
export function saveState(state: State, workspaces: Map<string, WorkspaceState>): () => void {
  const restores = [
    state.clock.save(),
    state.confirmations.save(),
    state.rateWindows.save(),
    state.tally.save(),
    saveMembers(state.forgotten),
    saveList(state.runs),
    ...[state.platforms, state.accounts, state.keys].flatMap((map) => [...map.values()].map(saveMembers)),
    saveWorkspaces(workspaces),
  ];
  return () => {
    for (const restore of restores) restore();
  };
}

function saveMembers(object: object): () => void {
  const copy = { ...object };
  return () => Object.assign(object, copy);
}

function saveWorkspaces(workspaces: Map<string, WorkspaceState>): () => void {
  const saved = new Map(
    [...workspaces].map(([slug, { requested, generated }]) => [slug, [saveList(requested), saveList(generated)]]),
  );
  return () => {
    for (const [slug, workspace] of workspaces) {
      const restores = saved.get(slug);
      for (const restore of restores ?? []) restore();
      if (restores === undefined) {
        workspace.requested.length = 0;
        workspace.generated.length = 0;
      }
    }
  };
}
