/** Calls drawn by chance in a run, unless it says otherwise. */
export const defaultFuzzCalls = 24;

/** Calls that looking for the smallest failing one may cost a check, beyond those that were drawn. */
export const mostShrinking = 24;
