import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { body, type Completed, isCompleted, isRefusal, isSuccess } from '../history/exchange.ts';
import { member } from '../json.ts';
import { type Answer, distinct, distinctValues, outcome, recorded, sentFor, short } from './observation.ts';

export const unreachableCode: Answer = (history) => {
  const theirs = history.knowledge.workspaces
    .filter(({ account }) => account !== 'own')
    .map(({ workspace }) => workspace);
  const ours = history.knowledge.workspaces
    .filter(({ account }) => account === 'own')
    .map(({ workspace }) => workspace);
  const isOut = ({ request, sender, invented }: Completed) => {
    const { workspace } = request.args ?? {};
    const their = theirs.some((slug) => slug === workspace) && !ours.some((slug) => slug === workspace);
    return sender.role === 'primary' && (invented.includes('workspace') || their);
  };
  const refused = recorded(history).filter(
    (one) => isRefusal(one) && isOut(one) && !isRefusal(one, refusalCodes.invalidArguments),
  );
  return distinct(refused.map((one) => [short(body(one).code), one]));
};

export const workingInOnRefusals = distinctValues(
  (history) => recorded(history).filter((one) => isRefusal(one)),
  (one) => {
    const present = member(one.response.json, 'working_in') !== undefined;
    return [`${short(body(one).code)}: ${present ? 'yes' : 'no'}`];
  },
);

/** The ambiguous key gets this code only if the server treats null as an absent argument. */
export const nullArgument: Answer = (history) =>
  sentFor(history, 'workspaces.null-argument')
    .filter(isCompleted)
    .map((one) => [isRefusal(one, refusalCodes.workspaceAmbiguous) ? 'accepted' : outcome(one), one]);

export const pinnedWithArgument: Answer = (history) => {
  const sent = sentFor(history, 'workspaces.pinned-with-argument').filter(isCompleted);
  // The key may lack access to some workspaces. A result says more than a refusal.
  const one = sent.find(isSuccess) ?? sent[0];
  if (one === undefined) return [];
  const decides = body(one).workspace === one.request.args?.workspace ? 'the argument decides' : 'the pin decides';
  return [[isSuccess(one) ? decides : outcome(one), one]];
};

export const argumentsOrWorkspace: Answer = (history) =>
  sentFor(history, 'order.arguments-or-workspace')
    .filter(isCompleted)
    .map((one) => {
      const issues = JSON.stringify(body(one).issues) ?? '';
      const first = isRefusal(one, refusalCodes.invalidArguments) && /\b(kind|id)\b/.test(issues);
      return [first ? 'arguments first' : `workspace first: ${outcome(one)}`, one];
    });
