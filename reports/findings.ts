import { toolNames } from '../fixtures/contract/tools.ts';
import { topics } from '../fixtures/requirements/model.ts';
import type { CheckResult, ReportedFinding, RequirementResult, RunResult, Status } from '../suites/result.ts';

/** Findings that are one: what was expected, what came and the hint agree but for the tool's name. */
export interface FindingGroup {
  /** `failed`, `errored` or `warned`: the worst of the requirements concerned. */
  status: Status;
  /** The first of them stands for all. */
  finding: ReportedFinding;
  check: CheckResult;
  requirement: RequirementResult;
  /** Every requirement in which it was met, `requirement` first. */
  requirements: RequirementResult[];
  /** How often it was met. */
  times: number;
  /** All exchanges that show it, by id. */
  exchanges: number[];
}

/** A group that spans so many requirements is a cause of its own, and shown before the rest. */
const wideSpread = 3;

/** The findings of a run, those that are one put together, the weightiest first. Known failures are left out. */
export function groupFindings(result: RunResult): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const { requirement, check, finding } of findingsOf(result)) {
    const cause = JSON.stringify([finding.expected, finding.actual, finding.hint].map(withoutTool));
    const group = groups.get(cause);
    if (group === undefined) {
      groups.set(cause, {
        status: requirement.status,
        finding,
        check,
        requirement,
        requirements: [requirement],
        times: finding.times ?? 1,
        exchanges: [...finding.exchanges],
      });
      continue;
    }
    if (!group.requirements.includes(requirement)) group.requirements.push(requirement);
    if (weight(requirement.status) < weight(group.status)) group.status = requirement.status;
    group.times += finding.times ?? 1;
    group.exchanges.push(...finding.exchanges);
  }
  return [...groups.values()]
    .map((group) => ({ ...group, exchanges: [...new Set(group.exchanges)].sort((a, b) => a - b) }))
    .sort(weightiestFirst);
}

function* findingsOf(result: RunResult) {
  for (const requirement of result.requirements.toSorted(byTopic)) {
    if (!shownStatuses.includes(requirement.status)) continue;
    for (const check of requirement.checks) {
      for (const finding of check.findings) yield { requirement, check, finding };
    }
  }
}

const shownStatuses: readonly Status[] = ['failed', 'errored', 'warned'];

function weight(status: Status): number {
  return shownStatuses.indexOf(status);
}

function weightiestFirst(a: FindingGroup, b: FindingGroup): number {
  return (
    weight(a.status) - weight(b.status) ||
    spread(b) - spread(a) ||
    topicOrder(a.requirement.topic) - topicOrder(b.requirement.topic)
  );
}

function spread(group: FindingGroup): number {
  return group.requirements.length >= wideSpread ? group.requirements.length : 0;
}

/** Order of requirements for a reader: by topic as the document meets them, then by id. */
export function byTopic(a: RequirementResult, b: RequirementResult): number {
  return topicOrder(a.topic) - topicOrder(b.topic) || (a.id < b.id ? -1 : 1);
}

function topicOrder(topic: string): number {
  const index = (topics as readonly string[]).indexOf(topic);
  return index === -1 ? topics.length : index;
}

const anyTool = new RegExp(toolNames.map((name) => name.replace('.', '\\.')).join('|'), 'g');

function withoutTool(text: string): string {
  return text.replace(anyTool, '<tool>');
}
