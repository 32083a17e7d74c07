import type { ReportedExchange } from '../../suites/result.ts';
import type { FindingGroup } from '../findings.ts';

/** What a server that keeps to the specification answers. */
export interface ReferenceAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/** Asks such a server the same; null where it cannot be asked. */
export type Reference = (exchange: ReportedExchange) => Promise<ReferenceAnswer | null>;

/** Answers of the reference, by the id of the exchange that they belong to. */
export type ReferenceAnswers = ReadonlyMap<number, ReferenceAnswer>;

/** Findings for which the reference is asked: a page of hundreds does not need it. */
const findingsAsked = 40;

/** Asks the reference about the exchanges that findings show. One that cannot answer is left out. */
export async function askReference(
  reference: Reference | undefined,
  groups: readonly FindingGroup[],
  exchanges: readonly ReportedExchange[],
): Promise<ReferenceAnswers> {
  if (reference === undefined) return new Map();
  const wanted = new Set(groups.slice(0, findingsAsked).flatMap(({ evidence }) => evidence));
  const answers = await Promise.all(
    exchanges
      .filter(({ id }) => wanted.has(id))
      .map(async (exchange) => [exchange.id, await reference(exchange).catch(() => null)] as const),
  );
  return new Map(answers.flatMap(([id, answer]) => (answer === null ? [] : [[id, answer]])));
}
