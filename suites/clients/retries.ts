import { type Completed, type Exchange, isCompleted, isSuccess } from '../exchange/exchange.ts';
import { type ClientRule, clientRule } from '../model/rule.ts';
import { sinceReceipt } from '../model/world/client-knowledge.ts';
import { fingerprint, isHopeless, isLost, isMeant, requestsProposal, toolOf } from '../model/world/client-requests.ts';
import { presentedId } from '../model/world/ids.ts';
import { newLines, untroubledOf } from '../model/world/printed.ts';
import type { Seen } from '../model/world/seen.ts';
import { usesFailure } from './never-got.ts';
import { readingMs } from './time.ts';

/** A repetition after this time may be a new attempt. */
const retryMs = 60_000;

/** Without a plain run, a client that polls is indistinguishable from one that repeats refused requests. */
function lacksPlainRun({ earlier: { runs } }: Seen): string | undefined {
  if (runs.some(({ kind }) => kind === 'plain')) return undefined;
  return 'no run without refusals shows how often the client repeats a request (tck judge has such a run)';
}

/** Returns whether the client sends a request as often in plain runs, because it polls or repeats its work. */
function isWork(exchange: Exchange, { client, earlier: { runs } }: Seen): boolean {
  const usual = runs.map(({ kind, repeats }) =>
    kind === 'plain' ? (repeats.get(exchange.request.tool ?? '') ?? 0) : 0,
  );
  const times = client.timesAsked(exchange);
  return times > 0 && times <= Math.max(0, ...usual);
}

/** Returns the refusal of an identical request, if nothing has changed since. */
function refusedBefore(exchange: Exchange, seen: Seen): Completed | undefined {
  const { client, knowledge } = seen;
  // Without known keys, the identical request may use another key.
  if (exchange.sender.role === null && !knowledge.roles) return undefined;
  // client-outcomes.ok-decides covers values that a refusal did not give.
  if (isWork(exchange, seen) || usesFailure(exchange, seen)) return undefined;
  // A success shows that something has changed.
  if (!isMeant(exchange) || (isCompleted(exchange) && isSuccess(exchange))) return undefined;
  const [before] = client.before(exchange, 'hopeless', fingerprint(exchange));
  if (before === undefined || !isCompleted(before) || sinceReceipt(exchange, before) >= retryMs) return undefined;
  return client.isChangedBetween(before, exchange) ? undefined : before;
}

/** Tools that show what a lost request did. */
const looks: Readonly<Record<string, readonly string[]>> = {
  'content.create_request': ['schedule.read', 'content.status'],
  'images.generate': ['credits.balance', 'library.search'],
};

/** Returns whether the client checked what a lost request did before it sent another. */
function looked(exchange: Exchange, lost: Exchange, { client }: Seen): boolean {
  const tools = looks[lost.request.tool ?? ''] ?? [];
  return tools.some((tool) => client.answeredBefore(exchange, 'look', tool).some(({ number }) => number > lost.number));
}

/**
 * Returns the repetition of a lost request that the client sent while it still waited, as after its own timeout. Only a
 * plain run shows that the client does not create the same several times on purpose.
 */
function repeatedWhileLost(exchange: Exchange, seen: Seen): Exchange | undefined {
  if (!isLost(exchange) || lacksPlainRun(seen) !== undefined || isWork(exchange, seen)) return undefined;
  return seen.client
    .during(exchange, 'creation', fingerprint(exchange))
    .find((later) => later.sentAt - exchange.sentAt >= readingMs && !looked(later, exchange, seen));
}

/** Returns a lost request and its repetition; undefined if there is none. */
function blindRepeat(exchange: Exchange, seen: Seen): readonly [lost: Exchange, again: Exchange] | undefined {
  const lost = [
    ...(isWork(exchange, seen) ? [] : seen.client.answeredBefore(exchange, 'lostCreation', fingerprint(exchange))),
    ...seen.client.answeredBefore(exchange, 'lostConfirmation').filter((other) => spendsAgain(exchange, other, seen)),
  ].find((other) => !looked(exchange, other, seen));
  if (lost !== undefined) return [lost, exchange];
  const again = repeatedWhileLost(exchange, seen);
  return again === undefined ? undefined : [exchange, again];
}

/**
 * Returns whether a request confirms another proposal of the same request. A person who approved it knew of the loss
 * only if the client printed something new.
 */
function spendsAgain(exchange: Exchange, lost: Exchange, { client, ids, earlier: { runs } }: Seen): boolean {
  const [id, other] = [presentedId(exchange), presentedId(lost)];
  if (id === undefined || other === undefined || id === other) return false;
  const { run } = client;
  const isAskedAlike = run?.output !== undefined && newLines(run, untroubledOf(runs)).length === 0;
  if (client.lastWordOn(id, exchange) === 'approved' && !isAskedAlike) return false;
  const [proposal, before] = [ids.issued(id)?.proposal, ids.issued(other)?.proposal];
  return proposal !== undefined && proposal.request.body === before?.request.body;
}

/** Rules for repeated requests. */
export const retries: readonly ClientRule[] = [
  clientRule(
    'client-retries.only-what-may-help',
    (exchange, seen) => {
      const before = refusedBefore(exchange, seen);
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
  clientRule('client-retries.no-blind-repeat', (exchange, seen) => {
    const isChange = exchange.request.tool === 'content.create_request' || presentedId(exchange) !== undefined;
    // In a history with gaps, the check may be missing.
    if (!seen.knowledge.complete || !isChange) return undefined;
    const repeat = blindRepeat(exchange, seen);
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
