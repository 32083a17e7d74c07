import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Exchange, isCompleted, isRefusal, isSuccess } from '../exchange/exchange.ts';
import type { ClientRun, HistoryEvent } from '../exchange/history.ts';
import { outcomeOf, presentedId } from '../model/world/ids.ts';
import { codeOf, isLost } from './exchange.ts';

/** A run of a client's process, with its work. */
export type RunOfClient = ClientRun & ReturnType<typeof workIn>;

/** Texts that programs write for a missing value. A person may also mean the word. */
export const placeholders: readonly unknown[] = ['undefined', 'null', 'None', 'NaN', '[object Object]'];

/** Refusals after which a client must ask a person. */
const waitForPerson: readonly string[] = [refusalCodes.workspaceAmbiguous, refusalCodes.confirmationInvalid];

/** Returns what the process of a client did. */
export function workIn(exchanges: readonly Exchange[], events: readonly HistoryEvent[]) {
  const completed = exchanges.filter(isCompleted);
  const results = completed.filter(isSuccess);
  const errors = completed.filter(({ response }) => response.status >= 400);
  const confirmations = exchanges.filter((exchange) => presentedId(exchange) !== undefined);
  const withoutPerson = completed.filter(
    (exchange) => isRefusal(exchange) && !waitForPerson.includes(codeOf(exchange) ?? ''),
  );
  const toolsOf = (all: readonly Exchange[]) => new Set(all.flatMap(({ request }) => request.tool ?? []));
  const repeated = Map.groupBy(exchanges, ({ request: { method, url, body } }) => JSON.stringify([method, url, body]));
  return {
    /** Latest exchanges, for a finding about the end of the run. */
    latest: exchanges.slice(-2),
    /** How often one request was sent at most, by tool. */
    repeats: new Map(
      [...repeated.values()]
        .sort((one, other) => one.length - other.length)
        .map((all) => [all[0]?.request.tool, all.length]),
    ),
    tools: toolsOf(exchanges),
    succeeded: toolsOf(results),
    failed: toolsOf(errors),
    /** Tools that were refused without need of a person. */
    refused: toolsOf(withoutPerson),
    /** Whether any request did not succeed. */
    metTrouble: results.length < exchanges.length,
    confirms: confirmations.length > 0,
    losesConfirmation: confirmations.some(isLost),
    dispatches: exchanges.some((exchange) => outcomeOf(exchange) === 'dispatched'),
    /** Whether the person denied a proposal. */
    isDenied: events.some((event) => event.kind === 'person' && event.act === 'denied'),
    results,
    /** Refusals and error responses. A wait is no refusal. */
    refusals: completed.filter(
      (exchange) => isRefusal(exchange) || (exchange.response.status >= 400 && exchange.response.status !== 429),
    ),
    /** Argument values that programs write for a missing value. */
    words: new Set(
      exchanges.flatMap(({ request }) =>
        Object.values(request.args ?? {}).filter((value) => placeholders.includes(value)),
      ),
    ),
  };
}
