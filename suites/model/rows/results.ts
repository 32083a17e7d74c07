import type { ResultRow } from '../../../fixtures/contract/tools/tool.ts';
import { type ToolName, toolNames, tools } from '../../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../../fixtures/requirements/model.ts';
import { type Completed, isSuccess } from '../../exchange/exchange.ts';
import { member } from '../../json.ts';
import { has, holds, success } from '../answers.ts';
import { type Judging, type Rule, row } from '../rule.ts';
import { isConfigured, isPlainRequest, isWorkspaceRefusal } from '../world/plain.ts';
import type { Seen } from '../world/seen.ts';

/** Returns a condition: a successful result of a tool, for which `also` holds. */
export const resultOf =
  (tool: ToolName, also: (exchange: Completed, seen: Seen) => boolean = () => true): Judging['applies'] =>
  (exchange, seen) =>
    exchange.request.tool === tool && isSuccess(exchange) && also(exchange, seen);

/** A reading tool succeeds for a plain request. */
export const answersPlainRequests = (tool: ToolName) =>
  ({
    applies: (exchange, seen) =>
      isPlainRequest(exchange, tool, seen) && (isConfigured(exchange, seen) || !isWorkspaceRefusal(exchange)),
  }) satisfies Partial<Judging>;

/** Returns the rows on the results of a tool from its declaration. */
export function resultRows(tool: ToolName): Rule[] {
  // `Object.entries` widens the type of the IDs.
  const rows = Object.entries(tools[tool].requirements) as [RequirementId, ResultRow][];
  return rows.map(([id, declared]) => resultRow(id, tool, declared));
}

function resultRow(id: RequirementId, tool: ToolName, declared: ResultRow): Rule {
  const { hint, source = tool } = declared;
  switch (declared.is) {
    case 'success':
      return row(id, {
        must: `The server MUST return a successful result for a valid \`${tool}\` request.`,
        source,
        ...answersPlainRequests(tool),
        answers: [success],
        hint,
      });
    case 'member':
      return row(id, {
        must: `The server MUST send \`${declared.member}\` as ${declared.as}.`,
        source,
        applies: resultOf(tool),
        answers: [has(declared.member, { fits: `${tools[tool].schema}Result` })],
        hint,
      });
    case 'sorted':
      return row(id, {
        must: `The server MUST sort the elements of \`${declared.list}\` by \`${declared.by}\`, the lowest first.`,
        source,
        applies: resultOf(tool),
        answers: [holds(declared.list, `to be sorted by ${declared.by}`, (list) => ascends(list, declared.by))],
        hint,
      });
  }
}

export const results: readonly Rule[] = toolNames.flatMap(resultRows);

function ascends(list: unknown, by: string): boolean {
  const values = Array.isArray(list) ? list.map((element) => String(member(element, by))) : [];
  return values.every((value, index) => value >= (values[index - 1] ?? ''));
}
