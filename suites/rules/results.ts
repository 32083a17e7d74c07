import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { SchemaName } from '../../fixtures/contract/validators.generated.js';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Completed, isSuccess } from '../history/exchange.ts';
import type { Finding } from './finding.ts';
import { fieldFits } from './match/fields.ts';
import { type Rule, rule } from './rule.ts';

/** What holds for every successful result of one tool in which there is something to judge. */
export function everyResult(
  id: RequirementId,
  tool: ToolName,
  expect: (exchange: Completed) => Finding | undefined,
  judgeable: (exchange: Completed) => boolean = () => true,
): Rule {
  return rule(id, {
    applies: (exchange) => exchange.request.tool === tool && isSuccess(exchange) && judgeable(exchange),
    expect,
  });
}

/** A field of every successful result of one tool, as the published description says. */
export function resultField(
  id: RequirementId,
  tool: ToolName,
  schema: SchemaName,
  field: string,
  hint: string,
  judgeable?: (exchange: Completed) => boolean,
): Rule {
  return everyResult(id, tool, (exchange) => fieldFits(exchange, schema, field, hint), judgeable);
}
