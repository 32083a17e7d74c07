import type { ResultRow } from '../../../fixtures/contract/tools/tool.ts';
import { type ToolName, toolNames, tools } from '../../../fixtures/contract/tools.ts';
import { must, type RequirementId } from '../../../fixtures/requirements/model.ts';
import { answers } from '../../expectations/answers.ts';
import type { KitFinding } from '../../expectations/finding.ts';
import { everyResult, resultField } from '../../expectations/results.ts';
import type { Rule } from '../../expectations/rule.ts';
import { body, type Completed } from '../../history/exchange.ts';
import { brief, member } from '../../json.ts';

/** Builds the rules on the results of a tool from its declaration. */
export function resultRules(tool: ToolName): Rule[] {
  // `Object.entries` widens the type of the IDs.
  const rows = Object.entries(tools[tool].requirements) as [RequirementId, ResultRow][];
  return rows.map(([id, row]) => resultRule(id, tool, row));
}

function resultRule(id: RequirementId, tool: ToolName, row: ResultRow): Rule {
  const as = (statement: string) => must(id, `The server MUST ${statement}.`, row.source ?? tool);
  switch (row.is) {
    case 'success':
      return answers(as(`return a successful result for a valid \`${tool}\` request`), tool, row.hint);
    case 'member':
      return resultField(
        as(`send \`${row.member}\` as ${row.as}`),
        tool,
        `${tools[tool].schema}Result`,
        row.member,
        row.hint,
      );
    case 'sorted':
      return everyResult(
        as(`sort the elements of \`${row.list}\` by \`${row.by}\`, the lowest first`),
        tool,
        (exchange) => ascends(exchange, row),
      );
  }
}

export const toolResults: readonly Rule[] = toolNames.flatMap(resultRules);

function ascends(
  exchange: Completed,
  { list, by, hint }: Extract<ResultRow, { is: 'sorted' }>,
): KitFinding | undefined {
  const elements = body(exchange)[list];
  const values = Array.isArray(elements) ? elements.map((element) => String(member(element, by))) : [];
  const wrong = values.findIndex((value, index) => index > 0 && value < (values[index - 1] ?? ''));
  if (wrong < 0) return undefined;
  return {
    at: { member: [list] },
    got: values,
    expected: `${list} to be sorted by ${by}`,
    actual: `${brief(values[wrong - 1])} stands before ${brief(values[wrong])}`,
    hint,
  };
}
