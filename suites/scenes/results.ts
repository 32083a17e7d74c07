import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { SchemaName } from '../../fixtures/contract/validators.generated.js';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Needs } from '../check.ts';
import type { Context } from '../engine/context.ts';
import { type Answered, isSuccess } from '../exchange.ts';
import { fieldFits } from '../expect/fields.ts';
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

/** A field of every successful result of one tool, as the published description says. */
export function fieldsOf(tool: ToolName, schema: SchemaName, exercise: Exercise, needs: Needs = {}) {
  const every = everyResultOf(tool, exercise, needs);
  return (requirement: RequirementId, field: string, hint: string): RuleCheck =>
    every(requirement, (exchange) => fieldFits(exchange, schema, field, hint));
}
