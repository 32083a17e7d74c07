import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Exchange } from '../exchange.ts';
import type { Flow } from '../flows/flow.ts';
import { statusReason } from '../named.ts';
import type { Judgement } from '../rules/docket.ts';
import type { NotTested } from '../session/budget.ts';
import { TooLarge } from '../session/too-large.ts';
import type { Judging } from './judging.ts';
import type { Outcome } from './outcome.ts';

/** How a flow ended. */
export interface Ending {
  readonly flow: Flow;
  /** Why it was left out, or why steps of it were not possible. */
  readonly impossible: readonly NotTested[];
  /** No response came, or the kit itself is at fault. */
  readonly errored?: { readonly reason: string; readonly exchange?: Exchange; readonly isFault: boolean };
}

/**
 * Why a requirement was not tested, the most direct cause first: what its rule says, a response without a verdict,
 * what its flows could not do, and a failed request of its flows.
 */
export function untestedOutcome(
  { id, deniedBy, declined, prevented, unjudged }: Judgement,
  endings: readonly Ending[],
  judging: Pick<Judging, 'sent'>,
  sent: readonly Exchange[],
): Outcome {
  const reasons = endings.flatMap(({ impossible }) => impossible);
  const tooLarge = reasons.find((reason) => reason instanceof TooLarge);
  if (declined !== undefined) return missingOutcome(id, declined, []);
  if (prevented !== undefined) return missingOutcome(id, prevented, []);
  if (deniedBy !== undefined) return missingOutcome(id, `precondition not met, see ${deniedBy}`, []);
  if (tooLarge !== undefined)
    return { ...missingOutcome(id, tooLarge.message, tooLarge.missing), exchanges: [tooLarge.exchange] };
  if (unjudged !== undefined)
    return { ...missingOutcome(id, unjudged.reason, []), exchanges: [judging.sent(unjudged.exchange)] };
  const [first] = reasons.toSorted((a, b) => a.missing.length - b.missing.length);
  if (first !== undefined) return missingOutcome(id, first.message, first.missing);
  const failed = failedRequest(endings, sent);
  const none = 'no response shows whether the requirement holds';
  if (failed === undefined) return missingOutcome(id, none, []);
  const { request, answer, problem } = failed;
  const why =
    answer === null ? `no response of ${request.tool}: ${problem}` : statusReason(request.tool, answer.status);
  return { ...missingOutcome(id, `${none}: ${why}`, []), exchanges: [failed] };
}

/** The first request of these flows that got no response, a 5xx, or a 429 that no flow asked for. */
function failedRequest(endings: readonly Ending[], sent: readonly Exchange[]): Exchange | undefined {
  const names = endings.filter(({ flow }) => flow.lane !== 'limits').map(({ flow }) => `${flow.name}: `);
  return sent.find(({ request: { step = '' }, answer, problem }) => {
    const isFailed = answer === null ? problem !== null : answer.status === 429 || answer.status >= 500;
    return isFailed && names.some((name) => step.startsWith(name));
  });
}

export function missingOutcome(
  requirement: RequirementId,
  reason: string,
  missing: NonNullable<Outcome['missing']>,
): Outcome {
  return { requirement, status: 'not-tested', reason, missing: [...missing], findings: [] };
}
