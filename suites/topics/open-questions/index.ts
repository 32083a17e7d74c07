import type { Story } from '../story.ts';
import { bodies, boundary } from './boundary.ts';
import { content } from './content.ts';
import { confirmations, values } from './images.ts';
import { reading } from './reading.ts';

/** Stories that answer open questions and test no requirements. */
export const observingStories: readonly Story[] = [boundary, bodies, reading, content, values, confirmations];
