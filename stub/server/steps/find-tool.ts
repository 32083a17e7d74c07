import type { Step } from '../behavior.ts';
import { boundaryError } from '../responses.ts';

/** One response for every name that is no tool; the name is not in it ("Boundary errors", 404). */
export const findTool: Step = ({ tool, behavior }) =>
  tool === undefined ? boundaryError(404, behavior.codes.noSuchTool, 'There is no such tool.') : undefined;
