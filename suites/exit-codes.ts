/** Exit codes of every command: `failed` is a gate that failed, `inconclusive` a run that left questions open. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, inconclusive: 3 } as const;
