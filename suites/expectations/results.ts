import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { SchemaName } from '../../fixtures/contract/validators.generated.js';
import type { Requirement } from '../../fixtures/requirements/model.ts';
import { type Completed, isSuccess } from '../history/exchange.ts';
import type { Seen } from '../situations/seen.ts';
import { fieldFits } from './fields.ts';
import { type KitJudging, type Rule, rule } from './rule.ts';

/** Builds a rule on every successful result of a tool for which `judgeable` holds. */
export function everyResult(
  requirement: Requirement,
  tool: ToolName,
  expect: KitJudging['expect'],
  judgeable: (exchange: Completed, seen: Seen) => boolean = () => true,
): Rule {
  return rule(requirement, {
    applies: (exchange, seen) => exchange.request.tool === tool && isSuccess(exchange) && judgeable(exchange, seen),
    expect,
  });
}

/** Builds the rule that a field of every successful result of a tool matches the OpenAPI description. */
export function resultField(
  requirement: Requirement,
  tool: ToolName,
  schema: SchemaName,
  field: string,
  hint: string,
  judgeable?: (exchange: Completed) => boolean,
): Rule {
  return everyResult(requirement, tool, (exchange) => fieldFits(exchange, schema, field, hint), judgeable);
}
