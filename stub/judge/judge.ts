import { type ClientRuleId, clientRuleIds, clientRules } from '../../fixtures/client-rules.ts';
import type { JudgedRule, Judgement, Session } from '../../fixtures/judgement.ts';
import { itemAsFound, knownArguments } from './arguments.ts';
import { approved, freshProposal, inTime, once, sameRequest, timeToRead } from './confirmations.ts';
import { noOtherKey, retryAfter } from './limits.ts';
import { okDecides, unknownFields } from './outcomes.ts';
import { contentType, jsonObjects, keyOnlyInAuthorization, knownTools, validArguments } from './requests.ts';
import { noBlindRepeat, onlyWhatMayHelp } from './retries.ts';
import type { Rule } from './rule.ts';
import { type Course, courseOf } from './turn.ts';
import { choicesShown, chosenByAPerson } from './workspaces.ts';

const rules: Readonly<Record<ClientRuleId, Rule>> = {
  'client-keys.only-in-authorization': keyOnlyInAuthorization,
  'client-requests.known-tools': knownTools,
  'client-requests.json-object': jsonObjects,
  'client-requests.content-type': contentType,
  'client-requests.valid-arguments': validArguments,
  'client-requests.known-arguments': knownArguments,
  'client-requests.item-as-found': itemAsFound,
  'client-outcomes.ok-decides': okDecides,
  'client-outcomes.unknown-fields': unknownFields,
  'client-workspaces.chosen-by-a-person': chosenByAPerson,
  'client-workspaces.choices-shown': choicesShown,
  'client-confirmations.approved': approved,
  'client-confirmations.time-to-read': timeToRead,
  'client-confirmations.same-request': sameRequest,
  'client-confirmations.once': once,
  'client-confirmations.fresh-proposal': freshProposal,
  'client-confirmations.in-time': inTime,
  'client-limits.retry-after': retryAfter,
  'client-limits.no-other-key': noOtherKey,
  'client-retries.only-what-may-help': onlyWhatMayHelp,
  'client-retries.no-blind-repeat': noBlindRepeat,
};

/** Findings of one rule that are told in full. */
const mostFindings = 5;

/** Holds what worlds saw of a client against the rules that the document has for clients. */
export function judge(sessions: readonly Session[]): Judgement {
  const courses = sessions.map(courseOf);
  const judged = clientRuleIds.map((id) => judgeRule(id, courses));
  const failed = judged.some(({ status }) => status === 'failed');
  const tried = judged.some(({ status }) => status !== 'not-tested');
  return {
    good: failed ? 'no' : tried ? 'yes' : 'unknown',
    rules: judged,
    dropped: sessions.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

function judgeRule(id: ClientRuleId, courses: readonly Course[]): JudgedRule {
  const { tried, findings } = rules[id](courses);
  const shown = findings.slice(0, mostFindings);
  const more = findings.length - shown.length;
  const { level, triedBy } = clientRules[id];
  if (findings.length > 0) return { id, status: level === 'must' ? 'failed' : 'warned', findings: shown, more };
  if (tried) return { id, status: 'passed', findings: [], more };
  return { id, status: 'not-tested', reason: triedBy, findings: [], more };
}
