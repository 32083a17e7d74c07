import type { WorkspaceChoice } from '../target.ts';

/** The deployment as the stories see it during a run. */
export interface Deployment {
  /** The workspace for requests of `primary`; undefined if the key resolves to one and none is configured. */
  workspace: string | undefined;
  board: string | undefined;
  /** Another board in `workspace`. */
  secondBoard: string | undefined;
  /** A second workspace that `primary` reaches. */
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

/** Common aspect ratios; the specification does not list the allowed ones. */
const likelyShapes = ['1:1', '16:9', '4:5', '9:16', '4:3', '3:4', '3:2', '2:3'];

export function deploymentOf(
  workspaces: readonly WorkspaceChoice[],
  otherAccount: { workspace?: string; board?: string } | undefined,
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
