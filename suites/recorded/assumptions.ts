/** Facts that no recording contains, but its user may state. */
export const assumptions = [
  /** The recording contains every request to the accounts, and content and permissions changed in no other way. */
  'complete',
  /** The deployment's clock shows real time. */
  'clock',
  /** All requests without a visible key used the same key. */
  'one-key',
] as const;

export type Assumption = (typeof assumptions)[number];
