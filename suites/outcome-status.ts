/**
 * Whether a status stands for a tool result or a refusal. Only 200 is correct. Any other 2xx violates
 * `envelopes.outcome-is-200`; the other requirements treat it as 200.
 */
export const isOutcomeStatus = (status: number): boolean => status >= 200 && status < 300;
