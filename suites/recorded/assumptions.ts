/** What no recording tells, and its user may state. */
export const assumptions = [
  /** It holds every request to the accounts, and nobody changed meanwhile what is there, or what a key may do. */
  'complete',
  /** The deployment's clock shows the time that really passes. */
  'clock',
  /** Requests whose key it does not show were all sent with the same one. */
  'one-key',
] as const;

export type Assumption = (typeof assumptions)[number];
