import type { Step } from '../call.ts';
import { boundaryError } from '../responses.ts';

/** One answer for every name that is no tool; the name is not in it ("Boundary errors", 404). */
export const findTool: Step = ({ tool, rules }) =>
  tool === undefined ? boundaryError(404, rules.codes.noSuchTool, 'There is no such tool.') : undefined;
