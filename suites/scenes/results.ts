import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Needs } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, isSuccess } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import { type RuleCheck, rule } from '../rule.ts';

type Exercise = (t: Context) => Promise<readonly Answered[]>;

/**
 * What holds for every successful result of one tool, whichever check asked for it; or for those in which there is something to judge,
 * since an answer without it would pass unseen.
 */
export function everyResultOf(tool: ToolName, exercise: Exercise, needs: Needs = {}) {
  return (
    requirement: RequirementId,
    verdict: (exchange: Answered) => Finding | undefined,
    judgeable: (exchange: Answered) => boolean = () => true,
  ): RuleCheck =>
    rule({
      requirement,
      needs,
      applies: (exchange) => exchange.request.tool === tool && isSuccess(exchange) && judgeable(exchange),
      verdict,
      exercise,
    });
}
