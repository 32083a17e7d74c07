import { bodies } from './bodies.ts';
import { boundary } from './boundary.ts';
import { confirmations } from './confirmations.ts';
import { content } from './content.ts';
import { images } from './images.ts';
import type { Observation } from './observation.ts';
import { rateLimit } from './rate-limit.ts';
import { reading } from './reading.ts';
import { workspaces } from './workspaces.ts';

/** Every observation, in the order in which a reader wants to meet them. */
export const observations: readonly Observation[] = [
  ...boundary,
  ...bodies,
  ...workspaces,
  ...content,
  ...reading,
  ...images,
  ...confirmations,
  ...rateLimit,
];
