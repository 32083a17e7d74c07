import { type Completed, type Exchange, isCompleted, isSuccess } from '../../history/exchange.ts';
import { fingerprint, isHopeless, isLost, isMeant, isProposal, toolOf } from '../match/client-requests.ts';
import { type ClientRule, clientRule } from '../rule.ts';
import { presentedId } from '../seen/ids.ts';
import { sinceReceipt } from '../seen/known.ts';
import type { Seen } from '../seen/seen.ts';
import { neverGot } from './never-got.ts';

/** After this long a repetition may be a new attempt of its own. */
const retryMs = 60_000;

/** Without such a run, a client that polls is indistinguishable from one that repeats what was refused. */
function lacksPlainRun({ earlier: { runs } }: Seen): string | undefined {
  if (runs.some(({ kind }) => kind === 'plain')) return undefined;
  return 'no run without refusals shows how often the client repeats a request (tck judge plays such a run)';
}

/** Whether the client sends a request as often where nothing goes wrong: it polls, or does the same several times. */
function isWork(exchange: Exchange, { client, earlier: { runs } }: Seen): boolean {
  const usual = runs.map(({ kind, repeats }) =>
    kind === 'plain' ? (repeats.get(exchange.request.tool ?? '') ?? 0) : 0,
  );
  const times = client.timesAsked(exchange);
  return times > 0 && times <= Math.max(0, ...usual);
}

/** The same request, refused for what it is, with nothing changed since. */
function refusedBefore(exchange: Exchange, seen: Seen): Completed | undefined {
  const { client, knowledge } = seen;
  // Where keys are not told apart, it may be the same request with another one.
  if (exchange.sender.role === null && !knowledge.roles) return undefined;
  // What a refusal did not give is told by client-outcomes.ok-decides.
  if (isWork(exchange, seen) || neverGot(exchange, seen) !== undefined) return undefined;
  // Where it succeeds, something has changed meanwhile.
  if (!isMeant(exchange) || (isCompleted(exchange) && isSuccess(exchange))) return undefined;
  const [before] = client.before(exchange, 'hopeless', fingerprint(exchange));
  if (before === undefined || !isCompleted(before) || sinceReceipt(exchange, before) >= retryMs) return undefined;
  return client.people.changedBetween(before, exchange) ? undefined : before;
}

/** Requests that show what a lost one has done. */
const looks: Readonly<Record<string, readonly string[]>> = {
  'content.create_request': ['schedule.read', 'content.status'],
  'images.generate': ['credits.balance'],
};

/** Whether the client looked what a lost request has done, before it sent another. */
function looked(exchange: Exchange, lost: Exchange, { client }: Seen): boolean {
  const tools = looks[lost.request.tool ?? ''] ?? [];
  return tools.some((tool) => client.answeredBefore(exchange, 'look', tool).some(({ number }) => number > lost.number));
}

/** The lost request that another one does again, unseen. */
function doneAgain(exchange: Exchange, seen: Seen): Exchange | undefined {
  const lost = [
    ...(isWork(exchange, seen) ? [] : seen.client.answeredBefore(exchange, 'lostCreation', fingerprint(exchange))),
    ...seen.client.answeredBefore(exchange, 'lostConfirmation').filter((each) => spendsAgain(exchange, each, seen)),
  ];
  return lost.find((each) => !looked(exchange, each, seen));
}

/** Whether a request confirms another proposal of the same request, which no person has approved. */
function spendsAgain(exchange: Exchange, lost: Exchange, { client, ids }: Seen): boolean {
  const [id, other] = [presentedId(exchange), presentedId(lost)];
  if (id === undefined || other === undefined || id === other) return false;
  if (client.people.lastWordOn(id, exchange) === 'approved') return false;
  const [proposal, before] = [ids.issued(id)?.proposal, ids.issued(other)?.proposal];
  return proposal !== undefined && proposal.request.body === before?.request.body;
}

const changes = (exchange: Exchange) =>
  exchange.request.tool === 'content.create_request' || presentedId(exchange) !== undefined;

/** What clients send again. */
export const retries: readonly ClientRule[] = [
  clientRule('client-retries.only-what-may-help', {
    applies: (exchange, seen) =>
      (isMeant(exchange) && isCompleted(exchange) && isHopeless(exchange)) ||
      refusedBefore(exchange, seen) !== undefined,
    prevented: lacksPlainRun,
    expect: (exchange, seen) => {
      const before = refusedBefore(exchange, seen);
      if (before === undefined) return undefined;
      return {
        expected: 'another request, or none, after a refusal',
        actual: `the same ${toolOf(exchange)} again`,
        hint: isProposal(exchange)
          ? 'A refused proposal gives no confirmation id: change what the message names before you propose again.'
          : 'Change what the message names, or tell a person: the same request gets the same response again.',
        exchanges: [before, exchange],
      };
    },
  }),
  clientRule('client-retries.no-blind-repeat', {
    // What is not in the history may have been a look.
    applies: (exchange, seen) =>
      seen.knowledge.complete && changes(exchange) && (isLost(exchange) || doneAgain(exchange, seen) !== undefined),
    expect: (exchange, seen) => {
      const lost = doneAgain(exchange, seen);
      return (
        lost && {
          expected: 'a check of what the lost request did, or a question to a person, before a repetition',
          actual: `${toolOf(exchange)} repeats what may already have been done`,
          hint:
            'Read the schedule, the pieces or the balance first. You may send the same id again, since it works ' +
            'once; a new proposal spends a second time.',
          exchanges: [lost, exchange],
        }
      );
    },
  }),
];
