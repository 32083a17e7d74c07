import type { Knowledge } from '../exchange/history.ts';
import type { JsonRecord } from '../json.ts';
import type { RoleKey, Target, WorkspaceChoice } from '../target/target.ts';

export interface Deployment {
  /** The workspace for requests of `primary`; undefined if the key resolves to one and none is configured. */
  workspace: string | undefined;
  board: string | undefined;
  secondBoard: string | undefined;
  otherWorkspace: string | undefined;
  otherBoard: string | undefined;
  otherAccountWorkspace: string | undefined;
  otherAccountBoard: string | undefined;
  /** Start of the run, in milliseconds since 1970. */
  startedAt: number;
  /** A future day, YYYY-MM-DD. */
  day: string;
  /** Aspect ratios to try; the configured one comes first. */
  shapes: readonly string[];
  /** Marker in everything that the run creates. */
  runId: string;
}

/** The deployment after preflight, which no story changes. */
export interface TestedDeployment extends Deployment {
  readonly proposal?: JsonRecord;
  readonly noProposal?: string;
  readonly contentRequest?: JsonRecord;
  readonly noContentRequest?: string;
}

/** Whether an ID is that of a known workspace or board. */
export const isKnown = (deployment: Deployment, id: string): boolean =>
  [
    deployment.workspace,
    deployment.otherWorkspace,
    deployment.otherAccountWorkspace,
    deployment.board,
    deployment.secondBoard,
    deployment.otherBoard,
    deployment.otherAccountBoard,
  ].includes(id);

/** Common aspect ratios; the specification does not list the allowed ones. */
const likelyShapes = ['1:1', '16:9', '4:5', '9:16', '4:3', '3:4', '3:2', '2:3'];

export function deploymentOf(
  workspaces: readonly WorkspaceChoice[],
  otherAccount: Pick<RoleKey, 'workspace' | 'board'> | undefined,
  shape: string | undefined,
  today: Date,
  runId: string,
): Deployment {
  const [first, second] = workspaces;
  const coming = new Date(today.getTime() + 9 * 24 * 3600 * 1000);
  return {
    workspace: first?.slug,
    board: first?.board,
    secondBoard: first?.otherBoard,
    otherWorkspace: second?.slug,
    otherBoard: second?.board,
    otherAccountWorkspace: otherAccount?.workspace,
    otherAccountBoard: otherAccount?.board,
    startedAt: today.getTime(),
    day: coming.toISOString().slice(0, 10),
    shapes: [...new Set([...(shape === undefined ? [] : [shape]), ...likelyShapes])],
    runId,
  };
}

/** Returns what the kit knows about the history that it creates, from the configuration and the survey. */
export function knowledgeOf(target: Pick<Target, 'keys' | 'clock'>, deployment: Deployment): Knowledge {
  const places = (
    [
      ['own', deployment.workspace, deployment.board],
      ['own', deployment.otherWorkspace, deployment.otherBoard],
      ['other', deployment.otherAccountWorkspace, deployment.otherAccountBoard],
    ] as const
  ).flatMap(([account, workspace, board]) => (workspace === undefined ? [] : [{ account, workspace, board }]));
  return {
    workspaces: places.map(({ account, workspace }) => ({ account, workspace })),
    complete: true,
    clock: true,
    clockShared: target.clock !== undefined,
    roles: true,
    headers: true,
    accounts: target.keys.otherAccount === undefined ? {} : { otherAccount: 'other' },
    startedAt: deployment.startedAt,
    boards: places.flatMap(({ board, ...place }) => (board === undefined ? [] : [{ ...place, board }])),
  };
}
