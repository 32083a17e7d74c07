import type { WorkspaceChoice } from '../target.ts';

/** What the kit knows of the deployment while it runs. */
export interface Ground {
  /** The workspace that `primary` works in; undefined where it resolves by itself and none is configured. */
  workspace: string | undefined;
  board: string | undefined;
  /** Another workspace that `primary` reaches. */
  otherWorkspace: string | undefined;
  otherBoard: string | undefined;
  otherAccountWorkspace: string | undefined;
  otherAccountBoard: string | undefined;
  /** When the run began, in milliseconds since 1970. */
  startedAt: number;
  /** A coming day, YYYY-MM-DD. */
  day: string;
  /** Aspect ratios to try, the configured one first. */
  shapes: readonly string[];
  /** Marker that everything this run creates carries. */
  runId: string;
}

/** Ratios that services of this kind tend to allow; the specification lists none. */
const likelyShapes = ['1:1', '16:9', '4:5', '9:16', '4:3', '3:4', '3:2', '2:3'];

export function groundOf(
  workspaces: readonly WorkspaceChoice[],
  otherAccount: { workspace?: string; board?: string } | undefined,
  shape: string | undefined,
  today: Date,
  runId: string,
): Ground {
  const [first, second] = workspaces;
  const coming = new Date(today.getTime() + 9 * 24 * 3600 * 1000);
  return {
    workspace: first?.slug,
    board: first?.board,
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
