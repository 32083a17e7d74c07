import type { Step } from '../behavior.ts';
import { boundaryError } from '../responses.ts';

/** All unknown tool names get an identical response that does not repeat the name ("Boundary errors", 404). */
export const findTool: Step = ({ tool, behavior }) =>
  tool === undefined ? boundaryError(404, behavior.codes.noSuchTool, 'There is no such tool.') : undefined;
