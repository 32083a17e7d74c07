import type { Knowledge } from '../history/history.ts';
import type { Target } from '../target.ts';
import type { Deployment } from '../topics/deployment.ts';

/** Returns what the kit knows about the history that it creates, from the configuration and the survey. */
export function knowledgeOf(target: Pick<Target, 'keys' | 'clock'>, deployment: Deployment): Knowledge {
  const boards = [
    { account: 'own', workspace: deployment.workspace, board: deployment.board },
    { account: 'own', workspace: deployment.otherWorkspace, board: deployment.otherBoard },
    { account: 'other', workspace: deployment.otherAccountWorkspace, board: deployment.otherAccountBoard },
  ];
  const workspaces = [
    { account: 'own', workspace: deployment.workspace },
    { account: 'own', workspace: deployment.otherWorkspace },
    { account: 'other', workspace: deployment.otherAccountWorkspace },
  ];
  return {
    workspaces: workspaces.filter((entry): entry is Knowledge['workspaces'][number] => entry.workspace !== undefined),
    complete: true,
    clock: true,
    clockShared: target.clock !== undefined,
    roles: true,
    headers: true,
    accounts: target.keys.otherAccount === undefined ? {} : { otherAccount: 'other' },
    startedAt: deployment.startedAt,
    boards: boards.filter((entry): entry is Knowledge['boards'][number] =>
      Object.values(entry).every((v) => v !== undefined),
    ),
  };
}
