import { type Severity, severities, topics } from '../../fixtures/requirements/model.ts';
import { requirements } from '../requirements.ts';
import type { RequirementResult } from '../result.ts';

/** Returns the rank of a severity; the worst severity has rank 0. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity);
}

/** Orders requirements for readers: by topic in the order of the specification, then by ID. */
export function byTopic(a: RequirementResult, b: RequirementResult): number {
  return topicRank(a.topic) - topicRank(b.topic) || (a.id < b.id ? -1 : 1);
}

function topicRank(topic: string): number {
  return topicRanks.get(topic) ?? topics.length;
}

/**
 * Returns the rank of a requirement in the catalogue, which lists the topics in order, and the most elementary
 * requirements of a topic first.
 */
export function catalogueRank(id: string): number {
  return catalogueRanks.get(id) ?? requirements.length;
}

const topicRanks: ReadonlyMap<string, number> = new Map(topics.map((topic, rank) => [topic, rank]));
const catalogueRanks: ReadonlyMap<string, number> = new Map(requirements.map(({ id }, rank) => [id, rank]));
