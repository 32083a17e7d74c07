import type { Flow } from '../flow.ts';
import { bodies, boundary } from './boundary.ts';
import { content } from './content.ts';
import { confirmations, values } from './images.ts';
import { reading } from './reading.ts';

/** Flows that answer open questions, and test nothing. */
export const observingFlows: readonly Flow[] = [boundary, bodies, reading, content, values, confirmations];
