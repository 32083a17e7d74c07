import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { ageAt, body, type Completed, isCompleted, isRefusal } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { balanceOf } from '../model/world/balances.ts';
import { isDispatch, isProposal, issuedId, presentedId } from '../model/world/ids.ts';
import {
  type Answers,
  distinct,
  type Observation,
  outcome,
  recorded,
  sentFor,
  valueOfMostTelling,
} from './observation.ts';

/** Presentations of IDs with a known proposal. */
function withProposals(history: History): { one: Completed; proposal: Completed }[] {
  const proposals = new Map(history.exchanges.filter(isCompleted).map((one) => [issuedId(one), one]));
  return recorded(history).flatMap((one) => {
    const proposal = proposals.get(presentedId(one) ?? '');
    return proposal === undefined ? [] : [{ one, proposal }];
  });
}

const dispatchedOr = (one: Completed) => (isDispatch(one) ? 'dispatched' : outcome(one));

/** Answers about images and credits. */
export const images: Answers = {
  ...valueOfMostTelling('confirmations.by-other-key', isDispatch, dispatchedOr),
  'confirmations.changed-board': (history) =>
    distinct(
      withProposals(history)
        .filter(({ one, proposal }) => {
          const [args, proposed] = [one.request.args ?? {}, proposal.request.args ?? {}];
          const same = args.workspace === proposed.workspace && args.brief === proposed.brief;
          return (
            same &&
            typeof args.board === 'string' &&
            args.board !== proposed.board &&
            one.sender.role === proposal.sender.role
          );
        })
        .map(({ one, proposal }): Observation => {
          if (!isDispatch(one)) return [outcome(one), one];
          const original = body(one).board_id === proposal.request.args?.board;
          return [original ? 'dispatches the original' : 'dispatches another', one];
        }),
    ),
  ...valueOfMostTelling('confirmations.changed-brief', isDispatch, dispatchedOr),
  /** Credits per image, from the first and the last balance, if only images lower the balance between them. */
  'credits.image-cost': (history) => {
    const all = recorded(history);
    const read = all.filter((one) => one.sender.role === 'primary' && balanceOf(one) !== undefined);
    const [first, last] = [read[0], read.at(-1)];
    if (first === undefined || last === undefined) return [];
    const images = all
      .filter((one) => isDispatch(one) && one.sentAt >= first.receivedAt && one.receivedAt <= last.sentAt)
      .reduce((sum, one) => sum + Number(body(one).count ?? 0), 0);
    if (!(images > 0)) return [];
    const cost = ((balanceOf(first) ?? 0) - (balanceOf(last) ?? 0)) / images;
    return cost >= 0 ? [[Math.round(cost * 1000) / 1000, first, last]] : [];
  },
  /** Highest age at which an ID was dispatched, if an ID one minute older had expired. */
  'expiry.minutes': (history) => {
    const aged = withProposals(history)
      .filter(({ one, proposal }) => one.sender.role === proposal.sender.role && one.invented.length === 0)
      .map(({ one, proposal }) => ({ one, minutes: Math.round(ageAt(proposal, one) / 60_000) }));
    const [alive] = aged.filter(({ one }) => isDispatch(one)).sort((a, b) => b.minutes - a.minutes);
    const dead = aged
      .filter(({ one }) => isRefusal(one, refusalCodes.confirmationInvalid))
      .map(({ minutes }) => minutes);
    if (alive === undefined || !dead.includes(alive.minutes + 1)) return [];
    return [[`valid at ${alive.minutes} minutes, expired at ${alive.minutes + 1}`, alive.one]];
  },
  /** Outcomes for 0, for the largest accepted count, and for the smallest refused count above it. */
  'image-proposals.count-bounds': (history) => {
    const tried = new Map(
      sentFor(history, 'image-proposals.count-bounds')
        .filter(isCompleted)
        .map((one) => [Number(one.request.args?.count), one]),
    );
    const accepted = [...tried].filter(([, one]) => isProposal(one)).map(([count]) => count);
    const most = Math.max(1, ...accepted);
    const refused = Math.min(...[...tried.keys()].filter((count) => count > most));
    return [0, most, refused].flatMap((count): Observation[] => {
      const one = tried.get(count);
      return one === undefined ? [] : [[`${count}: ${outcome(one)}`, one]];
    });
  },
};
