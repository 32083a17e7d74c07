/** Exit codes of every command: `failed` is a failed gate, `inconclusive` a run without a decision. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, inconclusive: 3 } as const;
