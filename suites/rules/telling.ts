import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { isRole, refusedRoles } from '../../fixtures/roles.ts';
import { body, type Completed, type Exchange, isCompleted, isRefusal } from '../history/exchange.ts';
import type { Knowledge } from '../history/history.ts';
import { mayComeFromIntermediary } from '../history/intermediaries.ts';
import { namesField } from './match/issues.ts';
import { brokenFields } from './violations.ts';

/** What a response tells whatever was asked for: found out once, for all rules. */
export interface Telling {
  /** An intermediary may have refused the request, so no rule judges the response. */
  readonly ofIntermediary: boolean;
  readonly ordinary: boolean;
  /** It refuses what others may have changed meanwhile. */
  readonly mayHaveChanged: boolean;
  /** It refuses with `invalid_arguments`, and the arguments do violate the published schema. */
  readonly refusesViolation: boolean;
}

export function tellingOf(exchange: Exchange, knowledge: Knowledge): Telling {
  if (!isCompleted(exchange)) {
    return { ofIntermediary: false, ordinary: false, mayHaveChanged: false, refusesViolation: false };
  }
  return {
    ofIntermediary: mayComeFromIntermediary(exchange),
    ordinary: isOrdinary(exchange) && !mayBeClosed(exchange, knowledge),
    mayHaveChanged: mayHaveChanged(exchange, knowledge),
    refusesViolation: refusesViolation(exchange),
  };
}

/** A response that says something about the requirement at hand: a 429 or a 5xx says nothing about it. */
function isOrdinary({ odd, request, response }: Completed): boolean {
  return !odd && (request.unread ?? response.unread) === undefined && response.status !== 429 && response.status < 500;
}

/** Whether the arguments alone explain a refusal: the specification does not show what a server checks first. */
function refusesViolation(exchange: Completed): boolean {
  const { role, kind } = exchange.sender;
  // A key that must always be refused never gets as far as its arguments.
  const isServed = kind === 'key' && !refusedRoles.some((refused) => refused === role);
  return isServed && isRefusal(exchange, refusalCodes.invalidArguments) && brokenFields(exchange).length > 0;
}

/** Whether somebody may have closed the API to the key meanwhile; a key without a known role may expire. */
function mayBeClosed({ sender, response }: Completed, { complete }: Knowledge): boolean {
  if ((response.status !== 401 && response.status !== 403) || sender.kind !== 'key') return false;
  const isRefused = refusedRoles.some((role) => role === sender.role);
  return !isRefused && (!complete || !isRole(String(sender.role)));
}

/** Arguments that name what may be gone. */
const whatMayGo = ['workspace', 'board', 'kind', 'id'];

/** Whether somebody may have changed meanwhile what a refusal is about. */
function mayHaveChanged(exchange: Completed, { complete }: Knowledge): boolean {
  if (complete || !isRefusal(exchange)) return false;
  const { issues } = body(exchange);
  const names = (field: string) => namesField(exchange, field, 'path or message') === undefined;
  return !isRefusal(exchange, refusalCodes.invalidArguments) || !Array.isArray(issues) || whatMayGo.some(names);
}
