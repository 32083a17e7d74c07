import type { RequirementId } from '../../fixtures/requirements/model.ts';
import type { Judgement } from '../evidence/rule-judge.ts';
import { statusReason } from '../ids-summary.ts';
import type { NotTested } from '../session/budget.ts';
import type { SentExchange } from '../session/sent-exchange.ts';
import { TooLarge } from '../session/too-large.ts';
import { serviceRefusals } from '../topics/declared/row-witnesses.ts';
import type { Steps } from '../topics/steps.ts';
import type { Story } from '../topics/story.ts';
import { describeMissing } from './feasible.ts';
import type { LiveJudge } from './live-judge.ts';
import type { Outcome } from './outcome.ts';

export interface Ending {
  readonly story: Story;
  /** Number of requests that the run had sent when the story began the last time. */
  readonly since: number;
  /** Why the story or some of its steps could not run. */
  readonly impossible: readonly NotTested[];
  readonly remarks: Steps['remarks'];
  /** Why the story could not run again to confirm a finding. */
  readonly unrepeated?: string;
  /** Why the story broke: a missing response, or a fault of the kit. */
  readonly errored?: { readonly reason: string; readonly exchange?: SentExchange; readonly isFault: boolean };
}

/**
 * Returns why a requirement was not tested. The most direct reason applies: the rule, a response that shows nothing, an
 * impossible step, then a failed request.
 */
export function untestedOutcome(
  { id, deniedBy, declined, prevented, unjudged }: Judgement,
  endings: readonly Ending[],
  liveJudge: Pick<LiveJudge, 'sent'>,
  sent: readonly SentExchange[],
): Outcome {
  const reasons = endings.flatMap(({ impossible }) => impossible);
  const tooLarge = reasons.find((reason) => reason instanceof TooLarge);
  if (declined !== undefined) return missingOutcome(id, declined, []);
  if (prevented !== undefined) return missingOutcome(id, prevented, []);
  if (deniedBy !== undefined) return missingOutcome(id, `precondition not met, see ${deniedBy}`, []);
  if (tooLarge !== undefined)
    return { ...missingOutcome(id, tooLarge.message, tooLarge.missing), exchanges: [tooLarge.exchange] };
  if (unjudged !== undefined)
    return { ...missingOutcome(id, unjudged.reason, []), exchanges: [liveJudge.sent(unjudged.exchange)] };
  const refusal = serviceRefusals.get(id);
  if (refusal !== undefined) {
    const missing = [{ kind: 'refusal', code: refusal.code }] as const;
    return missingOutcome(id, describeMissing(missing), missing);
  }
  const [first] = reasons.toSorted((a, b) => a.missing.length - b.missing.length);
  if (first !== undefined) return missingOutcome(id, first.message, first.missing);
  const failed = failedRequest(endings, sent);
  const none = 'no response shows whether the requirement holds';
  if (failed === undefined) return missingOutcome(id, none, []);
  const { request, response, problem } = failed;
  const why =
    response === null ? `no response of ${request.tool}: ${problem}` : statusReason(request.tool, response.status);
  return { ...missingOutcome(id, `${none}: ${why}`, []), exchanges: [failed] };
}

/**
 * Returns the first request of these stories without a response, with a 5xx or with a 429. The last
 * stories do not count, because those on rate limits expect a 429.
 */
function failedRequest(endings: readonly Ending[], sent: readonly SentExchange[]): SentExchange | undefined {
  const names = endings.filter(({ story }) => story.turn !== 'last').map(({ story }) => `${story.name}: `);
  return sent.find(({ request: { step = '' }, response, problem }) => {
    const isFailed = response === null ? problem !== null : response.status === 429 || response.status >= 500;
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
