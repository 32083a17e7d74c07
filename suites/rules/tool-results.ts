import type { ResultRow } from '../../fixtures/contract/tools/tool.ts';
import { type ToolName, toolNames, tools } from '../../fixtures/contract/tools.ts';
import { requirementId } from '../../fixtures/requirements/index.ts';
import { body, type Completed } from '../history/exchange.ts';
import { brief, member } from '../json.ts';
import { answers } from './answers.ts';
import type { Finding } from './finding.ts';
import { everyResult, resultField } from './results.ts';
import type { Rule } from './rule.ts';

/** The rules that the declarations of tools yield. */
export const toolResults: readonly Rule[] = toolNames.flatMap((tool) =>
  Object.entries<ResultRow>(tools[tool].requirements).map(([id, row]) => ruleOf(id, tool, row)),
);

function ruleOf(id: string, tool: ToolName, row: ResultRow): Rule {
  const requirement = requirementId(id);
  switch (row.is) {
    case 'success':
      return answers(requirement, tool, row.hint);
    case 'member':
      return resultField(requirement, tool, `${tools[tool].schema}Result`, row.member, row.hint);
    case 'sorted':
      return everyResult(requirement, tool, (exchange) => ascends(exchange, row));
  }
}

function ascends(exchange: Completed, { list, by, hint }: Extract<ResultRow, { is: 'sorted' }>): Finding | undefined {
  const elements = body(exchange)[list];
  const values = Array.isArray(elements) ? elements.map((element) => String(member(element, by))) : [];
  const wrong = values.findIndex((value, index) => index > 0 && value < (values[index - 1] ?? ''));
  if (wrong < 0) return undefined;
  return {
    expected: `${list} to be sorted by ${by}`,
    actual: `${brief(values[wrong - 1])} stands before ${brief(values[wrong])}`,
    hint,
    exchanges: [exchange],
  };
}
