/**
 * Whether a status says that a tool ran or declined. Only 200 may; any other 2xx is one violation
 * (`envelopes.outcome-is-200`), and the rest of the response is judged as if it were 200.
 */
export const isOutcomeStatus = (status: number): boolean => status >= 200 && status < 300;
