import type { Steps } from '../steps.ts';

/** Returns a name that no tool has or is likely to have. */
export const unknownName = (t: Steps) => `tck.${t.text('unknown tool')}`;
