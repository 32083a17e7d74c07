import { workspaceScopedTools } from '../../fixtures/contract/tools.ts';
import { type Answered, isSuccess } from '../exchange.ts';
import { member } from '../json.ts';

/** A successful result of a tool that works in a workspace. */
export const isScopedResult = (exchange: Answered) =>
  isSuccess(exchange) && workspaceScopedTools.some((tool) => tool === exchange.request.tool);
export const workingIn = (exchange: Answered) => member(exchange.answer.json, 'working_in');
/** The `workspace` of the call. */
export const argument = (exchange: Answered) => exchange.request.args?.workspace;
export const source = (exchange: Answered) => member(workingIn(exchange), 'source');
/** What a pinned key does with an argument is not shown: it may refuse, obey, or stay with its pin. */
export const isPinned = (exchange: Answered) => exchange.credential.role === 'pinned';
