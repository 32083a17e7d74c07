import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { sameRequest } from '../../expectations/promises.ts';
import { body, type Completed, isRefusal } from '../../history/exchange.ts';
import { mayName } from '../../model/issues.ts';
import type { Seen } from '../../situations/seen.ts';

export const tool = 'images.generate';

export const needs = { effects: ['proposals'], settings: ['board'] } as const;

/** Twin: a successful proposal with other values of the arguments in `except`. */
export const twinWithout =
  (...except: readonly string[]) =>
  (exchange: Completed, seen: Seen) =>
    sameRequest(exchange, seen, { except, texts: 'same' });

export const isFirstCall = ({ request, sender }: Completed) =>
  request.tool === tool && request.args?.confirmation_id === undefined && sender.kind === 'key';

/** Whether the brief may be the cause of a refusal. The specification does not show its limits. */
export const mayBeForBrief = (exchange: Completed) =>
  isRefusal(exchange, refusalCodes.invalidArguments) && mayName(body(exchange).issues, 'brief', 'path or message');
