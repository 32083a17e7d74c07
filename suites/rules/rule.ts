import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Completed, Exchange } from '../history/exchange.ts';
import type { Finding } from './finding.ts';
import type { Seen } from './seen/seen.ts';

/** The same request without the one defect: without its success a refusal proves nothing. */
export interface Twin {
  readonly succeeded: boolean;
  /** The requirement that promises its success, if one does. */
  readonly promisedBy?: RequirementId;
}

/**
 * One requirement, judged on every exchange of a history. It knows nothing of what produced the history.
 *
 * When a finding does not count:
 *
 * | Member | The finding does not count |
 * | --- | --- |
 * | (every rule) | on a 4xx or 5xx to a request that intermediaries commonly refuse |
 * | `twin` | until the same request without its error has succeeded |
 * | no `everyResponse` | on a 429, a 5xx, an odd or unread exchange, or if the key may have lost its access |
 * | no `judgesRefusals` | on `invalid_arguments` for arguments that violate the published schema |
 * | `unlessChanged` | on a refusal that a change by somebody else may explain |
 * | `mayDecline` | on a refusal by the service's own rule |
 * | `unlessHouseRule` | on such a refusal that other requests meet as well |
 * | `shaky` of the finding | until there are 3 of the rule (or its `timesToCount`), and never if `disturbed` |
 * | `uncertain` of the finding | until it still holds after so many repetitions of its exchanges |
 */
export interface Rule {
  readonly id: RequirementId;
  /** Whether the requirement says anything about this exchange, given what came before it. */
  applies(exchange: Completed, seen: Seen): boolean;
  /** Looked at again at the end of the history where it has not succeeded yet. */
  twin?(exchange: Completed, seen: Seen): Twin;
  /** A finding, or undefined where the exchange is as it must be. */
  expect(exchange: Completed, seen: Seen): Finding | undefined;
  /** How the history shows another client at work, whose effect shaky findings may show: they do not count then. */
  disturbed?(seen: Seen): string | undefined;
  /** Judges every response: also those to odd requests, 429, 5xx, and those whose body was not read as a whole. */
  readonly everyResponse?: boolean;
  /** Judges the form of refusals, also of those for arguments that violate the published schema. */
  readonly judgesRefusals?: boolean;
  /** After how many shaky findings they count, where each costs a long wait; `timesToCount` by default. */
  readonly timesToCount?: number;
  /** Rests on what others may change, such as an item: a refusal says nothing unless the history is complete. */
  readonly unlessChanged?: boolean;
  /**
   * Whether success is not promised for this very request, so that a refusal by the service's own rule says nothing.
   */
  mayDecline?(exchange: Completed): boolean;
  /** A refusal by a rule of the service's own that other requests meet as well says nothing either. */
  readonly unlessHouseRule?: boolean;
}

/** One requirement on clients, judged on every request of a history, also on those without a response. */
export interface ClientRule {
  readonly id: ClientRuleId;
  readonly judges: 'requests';
  /** Whether the requirement says anything about this request, given what its client knew when it was sent. */
  applies(exchange: Exchange, seen: Seen): boolean;
  /** Why a finding would prove nothing: then the rule is not tested. */
  prevented?(seen: Seen): string | undefined;
  expect(exchange: Exchange, seen: Seen): Finding | undefined;
  /** What the history shows as a whole: a finding or none; undefined where it shows nothing. */
  atEnd?(seen: Seen): { readonly finding: Finding | undefined } | undefined;
}

export type AnyRule = Rule | ClientRule;

export function clientRule(id: ClientRuleId, parts: Omit<ClientRule, 'id' | 'judges'>): ClientRule {
  return { id, judges: 'requests', ...parts };
}

export function rule(id: RequirementId, parts: Omit<Rule, 'id'>): Rule {
  return { id, ...parts };
}
