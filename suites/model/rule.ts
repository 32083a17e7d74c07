import type { ClientRuleId } from '../../fixtures/client-rules.ts';
import { isToolName, tools } from '../../fixtures/contract/tools.ts';
import type { Requirement, RequirementId } from '../../fixtures/requirements/model.ts';
import type { Completed, Exchange } from '../exchange/exchange.ts';
import type { Finding, KitFinding } from './finding.ts';
import type { Seen } from './world/seen.ts';
import type { Wanted } from './world/successes.ts';

/**
 * Whether another request succeeded, which must happen before a finding counts: usually the judged request without its
 * error. A server that refuses both proves nothing about the error. If the twin has not succeeded, the requirement that
 * guarantees its success, or false if none does.
 */
export type Twin = boolean | RequirementId;

/** A finding; null if the requirement is satisfied, and undefined if it does not apply. */
export type Judged<F = Finding> = F | null | undefined;

/**
 * What a rule judges beyond ordinary responses.
 *
 * - `every response`: also 429, 5xx, unread bodies, and responses to odd requests
 * - `every refusal`: also those of arguments that violate the published schema
 * - `the arguments`: those refusals, unless the service declines such requests by its own rule
 * - `chunked bodies`: every response to a request whose body comes in chunks. No other rule judges these requests.
 */
type Judges = 'every response' | 'every refusal' | 'the arguments' | 'chunked bodies';

/**
 * One requirement, judged on every exchange of a history. A rule depends on the history only, not on its source.
 *
 * A finding counts at once, with these exceptions. A finding that must wait is judged again at the end of the history.
 *
 * | Member | A finding does not count |
 * | --- | --- |
 * | (every rule) | on a 4xx or 5xx to a request that intermediaries refuse: very long, or with control characters |
 * | `twin` | until the twin has succeeded |
 * | `judges` not every response | on a 429, a 5xx, an odd or unread exchange, or if the key may have lost its access |
 * | no `judges` | on `invalid_arguments` for arguments that violate the schema |
 * | `judges` no form | on a refusal that a change by another client may explain; only in recorded traffic |
 * | `judges` no form | on a refusal by the service's own rule that a request met which it accepts at other times |
 * | decisive, a success | on a refusal by the service's own rule of a day, a title, a format or a word |
 * | `refutable` by `others` | before so many `times`, and never if the `balance` shows another client |
 * | `refutable` by `repetition` | until it persists through the given number of repetitions |
 *
 * An exchange is odd if its request leaves the specification, and unread if a body was too large to read.
 */
export interface Rule {
  readonly id: RequirementId;
  readonly requirement: Requirement;
  /** Judges an exchange, given the earlier ones. */
  judge(exchange: Exchange, seen: Seen): Judged;
  /** Returns the twin. The judge checks again at the end of the history whether the twin has succeeded. */
  twin?(exchange: Completed, seen: Seen): Twin;
  readonly judges?: Judges;
}

/** One requirement on clients, judged on every request of a history, including requests without a response. */
export interface ClientRule {
  readonly id: ClientRuleId;
  /** Judges a request, given what its client knew when it sent the request. */
  judge(exchange: Exchange, seen: Seen): Judged;
  /** Returns why findings would prove nothing. The requirement is then not tested. */
  prevented?(seen: Seen): string | undefined;
  /** Judges the history as a whole. Returns undefined if the history is not conclusive. */
  atEnd?(seen: Seen): Judged;
}

/** A finding about the requests of a client. */
export type ClientFinding = KitFinding & Pick<Finding, 'actual' | 'exchanges'>;

/** The judgement of a history as a whole. */
export type AtEnd = Judged<ClientFinding>;

/** Returns a rule that judges each request. */
export function clientRule(
  id: ClientRuleId,
  judge: (exchange: Exchange, seen: Seen) => Judged<Omit<ClientFinding, 'exchanges'> & Partial<ClientFinding>>,
  more: Pick<ClientRule, 'prevented'> & { atEnd?(seen: Seen): AtEnd } = {},
): ClientRule {
  const { prevented, atEnd } = more;
  return {
    id,
    judge(exchange, seen) {
      const finding = judge(exchange, seen);
      return finding && { at: 'exchanges', exchanges: [exchange], ...finding };
    },
    ...(prevented && { prevented }),
    ...(atEnd && {
      atEnd(seen) {
        const finding = atEnd(seen);
        return finding && { at: 'exchanges', ...finding };
      },
    }),
  };
}

/** Returns a rule that judges a history as a whole. */
export function clientRuleAtEnd(id: ClientRuleId, atEnd: (seen: Seen) => AtEnd): ClientRule {
  return clientRule(id, () => undefined, { atEnd });
}

/** Returns the requirement that guarantees the success of a plain request of this tool. */
export function promisedBy(tool: string | null): RequirementId {
  return tools[tool !== null && isToolName(tool) ? tool : 'schedule.read'].success;
}

/** Twin: the same request with any texts, which succeeded. `how` changes what must be the same. */
export function sameRequest({ sender, request }: Completed, seen: Seen, how: Partial<Wanted> = {}): Twin {
  const wanted = { role: sender.role, tool: request.tool ?? '', args: request.args ?? {}, ...how };
  return seen.successes.has(wanted) || promisedBy(wanted.tool);
}
