import type { RequirementId } from '../../fixtures/requirements/index.ts';
import { type Check, check } from '../check.ts';
import { invalidField, type NamedBy } from '../expect/issues.ts';
import { controlReading, type ReadingTool } from './reading.ts';

/** A plain call of a reading tool that is good but for one field, which the refusal has to name. */
export function invalidReading(
  requirement: RequirementId,
  tool: ReadingTool,
  field: string,
  values: readonly unknown[],
  by: NamedBy,
  hint: string,
): Check {
  return check({
    requirement,
    async run(t) {
      const { args } = await controlReading(t, tool);
      const answers = await Promise.all(values.map((value) => t.call(tool, { ...args, [field]: value })));
      for (const answer of answers) t.expect(invalidField(answer, field, by, hint));
    },
  });
}

export const typeHint = 'look at the type before the value, and convert nothing';
