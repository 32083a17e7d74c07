import type { Knowledge } from '../history/history.ts';
import type { Target } from '../target.ts';
import type { Ground } from './ground.ts';

/** What the kit knows of the history that it makes itself, and of what a configuration describes. */
export function knowledgeOf(target: Pick<Target, 'keys' | 'clock'>, ground: Ground): Knowledge {
  const boards = [
    { account: 'own', workspace: ground.workspace, board: ground.board },
    { account: 'own', workspace: ground.otherWorkspace, board: ground.otherBoard },
    { account: 'other', workspace: ground.otherAccountWorkspace, board: ground.otherAccountBoard },
  ];
  const workspaces = [
    { account: 'own', workspace: ground.workspace },
    { account: 'own', workspace: ground.otherWorkspace },
    { account: 'other', workspace: ground.otherAccountWorkspace },
  ];
  return {
    workspaces: workspaces.filter((each): each is Knowledge['workspaces'][number] => each.workspace !== undefined),
    complete: true,
    onlyClient: false,
    clock: true,
    clockShared: target.clock !== undefined,
    roles: true,
    headers: true,
    accounts: target.keys.otherAccount === undefined ? {} : { otherAccount: 'other' },
    startedAt: ground.startedAt,
    boards: boards.filter((each): each is Knowledge['boards'][number] =>
      Object.values(each).every((v) => v !== undefined),
    ),
  };
}
