import { isDeepStrictEqual } from 'node:util';
import { type Exchange, isChunked, isCompleted, isSuccess } from '../exchange/exchange.ts';
import { isDispatch, issuedId, presentedId, resembles } from '../model/world/ids.ts';
import { brokenFields } from '../model/world/violations.ts';

/** Exchanges that a finding is based on, in the order of sending. */
export interface Chain {
  readonly exchanges: readonly Exchange[];
  /** Successful request without the error. */
  readonly control?: Exchange;
}

/** Maximum number of recent uses of one ID in a chain. The dispatch is always included. */
const mostUses = 6;

/** Maximum number of other proposals and dispatches in a chain, if one of them may have invalidated an ID. */
const mostBetween = 4;

/** Maximum number of differences between a request and its control. */
const mostDifferences = 3;

/** Returns exchanges with those that led to them: proposals of the presented IDs and earlier uses of these IDs. */
export function storyOf(shown: readonly Exchange[], sent: readonly Exchange[]): Exchange[] {
  return inOrder(shown.flatMap((exchange) => [...leadingTo(exchange, sent), exchange]));
}

/**
 * Returns the story of a finding and its control.
 * @param blamed numbers of exchanges with findings, which cannot be controls; undefined if no control is needed
 */
export function chainOf(shown: readonly Exchange[], sent: readonly Exchange[], blamed?: ReadonlySet<number>): Chain {
  const exchanges = storyOf(shown, sent);
  const last = shown.at(-1);
  if (last === undefined) return { exchanges };
  const isUsed = exchanges.some((step) => isDispatch(step) && idIn(step) === idIn(last));
  const control = blamed === undefined || isUsed ? undefined : controlOf(last, sent, blamed);
  return control === undefined || exchanges.includes(control) ? { exchanges } : { exchanges, control };
}

function inOrder(exchanges: readonly Exchange[]): Exchange[] {
  return [...new Set(exchanges)].sort((a, b) => a.number - b.number);
}

/** Returns the presented ID. An empty ID counts as no ID. */
const idIn = (exchange: Exchange) => presentedId(exchange) || undefined;

function leadingTo(exchange: Exchange, sent: readonly Exchange[]): Exchange[] {
  const id = idIn(exchange);
  if (id === undefined) return [];
  const before = sent.filter(({ number }) => number < exchange.number);
  const proposal = proposalOf(id, before);
  if (proposal === undefined) return [];
  const issued = issuedId(proposal);
  const uses = before.filter((exchange) => idIn(exchange) === issued && exchange !== proposal);
  const dispatch = uses.filter(isDispatch).slice(0, 1);
  const between = uses.length > 0 || isDispatch(exchange) ? [] : before.filter((other) => mayEnd(other, proposal));
  // A dispatch can be repeated only after its proposal.
  const others = between.slice(-mostBetween).flatMap((other) => [proposalOf(idIn(other), before) ?? other, other]);
  return [proposal, ...dispatch, ...uses.slice(-mostUses), ...others];
}

/** A shorter ID, such as `0`, resembles others by coincidence. */
const leastToResemble = 4;

/** Returns the proposal that issued an ID, or the first one whose ID resembles it. */
function proposalOf(id: string | undefined, sent: readonly Exchange[]): Exchange | undefined {
  if (id === undefined) return undefined;
  const isLike = (issued: string) =>
    issued.toLowerCase() === id.toLowerCase() || (id.length >= leastToResemble && resembles(id, issued));
  const find = (isWanted: (issued: string) => boolean) =>
    sent.find((exchange) => {
      const issued = issuedId(exchange);
      return issued !== undefined && isWanted(issued);
    });
  return find((issued) => issued === id) ?? find(isLike);
}

/** Returns whether an exchange proposed or dispatched with the same key after a proposal. */
function mayEnd(exchange: Exchange, proposal: Exchange): boolean {
  const isLater = exchange.number > proposal.number && exchange.sender.label === proposal.sender.label;
  return isLater && (issuedId(exchange) !== undefined || isDispatch(exchange));
}

/** Returns the most similar successful request that spends and writes nothing that `exchange` does not. */
function controlOf(exchange: Exchange, sent: readonly Exchange[], blamed: ReadonlySet<number>): Exchange | undefined {
  let best: Exchange | undefined;
  let least = mostDifferences + 1;
  for (const candidate of sent) {
    if (
      !isCompleted(candidate) ||
      !isSuccess(candidate) ||
      candidate.sender.kind !== 'key' ||
      idIn(candidate) !== undefined
    )
      continue;
    if (blamed.has(candidate.number) || brokenFields(candidate).length > 0) continue;
    if (candidate.request.tool === 'content.create_request' && exchange.request.tool !== candidate.request.tool)
      continue;
    const differences = differencesOf(candidate, exchange);
    if (differences === 0 || differences >= least) continue;
    [best, least] = [candidate, differences];
  }
  return best;
}

function differencesOf(one: Exchange, other: Exchange): number {
  const [a, b] = [one.request.args ?? {}, other.request.args ?? {}];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return (
    Number(one.sender.label !== other.sender.label) +
    2 * Number(one.request.tool !== other.request.tool) +
    [...names].filter((name) => !isDeepStrictEqual(a[name], b[name])).length +
    Number(other.request.args === null || other.request.body === null) +
    Number(isChunked(one) !== isChunked(other))
  );
}
