import type { Cause } from '../../suites/causes/causes.ts';
import type { ReportedExchange } from '../../suites/result.ts';

/** Response of a conforming server. */
export interface ReferenceAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/** Sends a request to a conforming server. Null if the request cannot be sent. */
export type Reference = (exchange: ReportedExchange) => Promise<ReferenceAnswer | null>;

/** Responses of the reference, by exchange ID. */
export type ReferenceAnswers = ReadonlyMap<number, ReferenceAnswer>;

/** Maximum number of causes with reference responses. */
const causesAsked = 40;

/** Gets reference responses for the evidence of causes. Omits requests without a response. */
export async function askReference(
  reference: Reference | undefined,
  causes: readonly Cause[],
  exchanges: readonly ReportedExchange[],
): Promise<ReferenceAnswers> {
  if (reference === undefined) return new Map();
  const wanted = new Set(causes.slice(0, causesAsked).flatMap(({ evidence }) => evidence));
  const answers = await Promise.all(
    exchanges
      .filter(({ id }) => wanted.has(id))
      .map(async (exchange) => [exchange.id, await reference(exchange).catch(() => null)] as const),
  );
  return new Map(answers.flatMap(([id, answer]) => (answer === null ? [] : [[id, answer]])));
}
