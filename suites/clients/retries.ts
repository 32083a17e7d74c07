import { type Completed, type Exchange, isCompleted, isSuccess } from '../exchange/exchange.ts';
import { presentedId, requestsProposal } from '../model/world/ids.ts';
import type { Client } from './client.ts';
import { isHopeless, isLost, isMeant, isRepeated, sinceReceipt, toolOf } from './exchange.ts';
import { usesFailure } from './never-got.ts';
import { newLines, untroubledOf } from './printed.ts';
import { type ClientRule, clientRule, readingMs } from './rule.ts';

/** A repetition after this time may be a new attempt. */
const retryMs = 60_000;

/** Without a plain run, a client that polls is indistinguishable from one that repeats refused requests. */
function lacksPlainRun({ plainRuns }: Client): string | undefined {
  if (plainRuns.length > 0) return undefined;
  return 'no run without refusals shows how often the client repeats a request (tck judge has such a run)';
}

/** Returns whether the client sends a request as often in plain runs, because it polls or repeats its work. */
function isWork(exchange: Exchange, client: Client): boolean {
  const usual = client.plainRuns.map(({ repeats }) => repeats.get(exchange.request.tool) ?? 0);
  const times = client.timesAsked(exchange);
  return times > 0 && times <= Math.max(0, ...usual);
}

/** Returns the refusal of an identical request, if nothing has changed since. */
function refusedBefore(exchange: Exchange, client: Client): Completed | undefined {
  // Without known keys, the identical request may use another key.
  if (exchange.sender.role === null && !client.knowledge.roles) return undefined;
  // A success shows that something has changed.
  if (!isMeant(exchange) || (isCompleted(exchange) && isSuccess(exchange))) return undefined;
  // client-outcomes.ok-decides covers values that a refusal did not give.
  if (isWork(exchange, client) || usesFailure(exchange, client)) return undefined;
  const before = client.answeredBefore(
    exchange,
    (other) => isHopeless(other) && isRepeated(other, exchange) && client.knew(exchange, other),
  );
  if (before === undefined || sinceReceipt(exchange, before) >= retryMs) return undefined;
  return client.isChangedBetween(before, exchange) ? undefined : before;
}

const isCreation = ({ request }: Exchange) => request.tool === 'content.create_request';

/** Tools that show what a lost request did. */
const looks: Readonly<Record<string, readonly string[]>> = {
  'content.create_request': ['schedule.read', 'content.status'],
  'images.generate': ['credits.balance', 'library.search'],
};

/** Returns whether the client checked what a lost request did before it sent another. */
function looked(exchange: Exchange, lost: Exchange, client: Client): boolean {
  const tools = looks[lost.request.tool ?? ''] ?? [];
  const look = client.answeredBefore(exchange, (other) => {
    if (other.number < lost.number || !tools.includes(other.request.tool ?? '')) return false;
    return isSuccess(other) || other.response.unread !== undefined;
  });
  return look !== undefined || client.hasForgottenSince(lost);
}

/**
 * Returns the repetition of a lost request that the client sent while it still waited, as after its own timeout. Only a
 * plain run shows that the client does not create the same several times on purpose.
 */
function repeatedWhileLost(exchange: Exchange, client: Client): Exchange | undefined {
  if (!isLost(exchange) || lacksPlainRun(client) !== undefined || isWork(exchange, client)) return undefined;
  return client
    .during(exchange, (other) => isCreation(other) && isRepeated(other, exchange))
    .find((later) => later.sentAt - exchange.sentAt >= readingMs && !looked(later, exchange, client));
}

/** Returns a lost request and its repetition; undefined if there is none. */
function blindRepeat(exchange: Exchange, client: Client): readonly [lost: Exchange, again: Exchange] | undefined {
  const isAgain = (other: Exchange) =>
    isCreation(other) ? isRepeated(other, exchange) && !isWork(exchange, client) : spendsAgain(exchange, other, client);
  const lost = client.before(exchange, (other) => isLost(other) && isAgain(other) && !looked(exchange, other, client));
  if (lost !== undefined) return [lost, exchange];
  const again = repeatedWhileLost(exchange, client);
  return again === undefined ? undefined : [exchange, again];
}

/**
 * Returns whether a request confirms another proposal of the same request. A person who approved it knew of the loss
 * only if the client printed something new.
 */
function spendsAgain(exchange: Exchange, lost: Exchange, client: Client): boolean {
  const [id, other] = [presentedId(exchange), presentedId(lost)];
  if (id === undefined || other === undefined || id === other) return false;
  const { run, ids, earlier } = client;
  const isAskedAlike = run?.output !== undefined && newLines(run, untroubledOf(earlier.runs)).length === 0;
  if (client.lastWordOn(id, exchange) === 'approved' && !isAskedAlike) return false;
  const [proposal, before] = [ids.issued(id)?.proposal, ids.issued(other)?.proposal];
  return proposal !== undefined && proposal.request.body === before?.request.body;
}

/** Rules for repeated requests. */
export const retries: readonly ClientRule[] = [
  clientRule(
    'client-retries.only-what-may-help',
    (exchange, client) => {
      const before = refusedBefore(exchange, client);
      if (before === undefined)
        return isMeant(exchange) && isCompleted(exchange) && isHopeless(exchange) ? null : undefined;
      return {
        expected: 'a different request, or no request, after the refusal',
        actual: `the same ${toolOf(exchange)} request again`,
        hint: requestsProposal(exchange)
          ? 'A refused proposal has no confirmation ID: before you propose again, correct the problem in the message.'
          : 'Correct the problem in the message, or tell a person: the same request gets the same response.',
        exchanges: [before, exchange],
      };
    },
    { prevented: lacksPlainRun },
  ),
  clientRule('client-retries.no-blind-repeat', (exchange, client) => {
    const isChange = isCreation(exchange) || presentedId(exchange) !== undefined;
    // In a history with gaps, the check may be missing.
    if (!client.knowledge.complete || !isChange) return undefined;
    const repeat = blindRepeat(exchange, client);
    if (repeat === undefined) return isLost(exchange) ? null : undefined;
    return {
      expected: 'a check of the effect of the lost request, or a question to a person, before a repetition',
      actual: `${toolOf(exchange)} repeats a request that may have taken effect`,
      hint:
        'First read the schedule, the pieces, the library or the balance. You can send the same ID again, ' +
        'because an ID works once. After confirmation_invalid, ask the person: a new proposal spends again.',
      exchanges: repeat,
    };
  }),
];
