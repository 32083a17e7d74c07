import type { Issue } from '../../../fixtures/contract/envelopes.ts';
import { tools } from '../../../fixtures/contract/tools.ts';
import { type Step, settled } from '../behavior.ts';
import { refusal } from '../responses.ts';

/** Validates the arguments and reports every invalid field ("Tool refusals", invalid_arguments). */
export const checkArguments: Step = (call) => {
  const { behavior, body } = call;
  const tool = settled(call.tool, 'tool');
  const parsed = (behavior.argumentSchemas[tool] ?? tools[tool].arguments).safeParse(body);
  if (parsed.success) {
    call.args = parsed.data;
    return undefined;
  }
  const issues = parsed.error.issues.flatMap((issue): Issue[] => {
    // Zod reports an unknown property at its parent. The issue names the property itself, so that a client finds it.
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => ({ path: path.join('.'), message: issue.message }));
  });
  return refusal(behavior.argumentsRefusedBy, {
    code: behavior.codes.invalidArguments,
    message: `These arguments do not fit: ${[...new Set(issues.map(({ path }) => path))].join(', ')}.`,
    issues,
  });
};
